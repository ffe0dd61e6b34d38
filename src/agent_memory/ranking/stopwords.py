"""Words too common to search for, by language, and a cheap guess of a text's language from them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from .listed import listed

_WORDS: Final = {
    "english": """
        a about above after again all also am an and any are aren't as at be been before being both but by can
        can't cannot could couldn't did didn't do does doesn't doing don't down each either few for from further
        had hadn't has hasn't have haven't having he her here hers herself him himself his how i if in into is
        isn't it its itself just let me might more most must my myself no nor not of off on once only or other
        our ours ourselves out over own please same shall she should shouldn't so some such than that the their
        theirs them themselves then there these they this those through to too under until up upon us very was
        wasn't we were weren't what when where whether which while who whom whose why will with won't would
        wouldn't yes yet you your yours yourself may i'm i've i'd i'll it's that's what's who's where's there's
        let's you're you've you'll we're we've we'll they're he's she's""",
    "german": """
        aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den der des die
        dies diese diesem diesen dieser dieses doch dort du ein eine einem einen einer eines er es für hat hatte
        habe haben ich ihm ihn ihr ihre im in ins ist ja kann kein keine man mein meine mich mir mit nach nicht noch
    nur ob oder ohne sein seine sich sie sind so um und uns unser unsere unter vom von vor war waren warum was
    wann
        weil welche welchem welchen welcher welches wenn wer werden wie wieso wir wird wo wurde wurden wäre zu
        zum zur über""",
    "french": """
        à au aux avec ce ces cet cette comme comment d dans de des du elle elles en est et eu été il ils j je l
        la le les leur leurs lui m ma mais me mes mon n ne nos notre nous on ou où par pas pour pourquoi qu
        quand que quel quelle quelles quels qui s sa sans se ses son sont sur t ta te tes ton tu un une vos
        votre vous y étaient était""",
    "spanish": """
        a al algo como con cuál cuáles cuándo cuánto cuántos cómo de del desde donde dónde el ella ellos en
        entre era es esa ese eso esta este esto está están fue fueron ha han hay la las le les lo los me mi más
        muy no nos nuestra nuestro o para pero por porque qué que quien quién se ser si sin sobre son su sus
        también te tiene un una uno y ya yo""",
    "italian": """
        a ad al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e ed era
        gli ha hanno i il in io la le lo loro ma mi nei nel nella non o per perché più quale quali quando quanto
        quanti questa questo se si sono su sua suo sul sulla tra un una uno è""",
    "portuguese": """
        a ao aos as até com como da das de do dos e ela ele em entre era essa esse esta este está eu foi foram
        há isso isto já lhe mais mas me meu minha muito na nas no nos não o os ou para pela pelo por porque qual
        quais quando quantos que quem se sem ser seu seus sua suas são também te tem um uma você à às é""",
    "dutch": """
        aan al als bij dan dat de der deze die dit door een en er had heb hebben heeft het hij hoe hoeveel hun
        ik in is je kan maar me meer men met mij mijn naar niet nog nu of om omdat onder ons ook op over te tot
        u uit van veel voor waar waarom wanneer waren was wat welke werd wie wij wordt worden ze zich zij zijn
        zo zou""",
    "russian": """
        а без бы был была были было в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за
        и из или им их к как какая какие какой когда кого которая которые который кто ли меня мне мы на над не
        него нее нет ни но о об он она они оно от по под почему при с сколько со так там то того тоже только ты
        у уже чем что чтобы эта эти это этого этот я""",
}

STOPWORDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {language: frozenset(words.split()) for language, words in _WORDS.items()}
)
DEFAULT_LANGUAGE: Final = "english"
COMMON_BY_SCRIPT: Final = listed("""
    αν απο για δεν ειναι ποτε που τι πως ποιος ποια ποιο από αυτό για δεν είναι και με να οι πού ποιος ποια ποιο
    πότε πώς που πως σε στην στις στο στον τα τη την της τι
    τις το τον του των ως η ο
    אבל אותו אותה אחרי איך איפה אל אם אני אנחנו את אתה אתם בין גם האם הוא היא היה הייתה הם הן הזה זאת זה זו יש כאשר
    כדי כי כל כמה לא לו לי למה לפני מה מי מתי נמצא נמצאת על עד עוד עם של שלי שלך שלו שלה תחת
    أن أنا أنت أنه أو أي أين إذا إلى إن التي الذي الذين اللذان اين ب بعد بين ثم حتى حيث ذلك على عن عند غير في قبل قد
    كان كانت كل كم كيف لا لكن لم لماذا لن له لها ليس ما ماذا متى مع من منذ نحن هذا هذه هل هم هناك هو هي و يا يكون
    آن آيا از است اگر او اين با بايد بر براي بود بودند به تا تو چرا چه چطور چيست چگونه چند چندتا چي خود در
    درباره دارد دارند
    را شد شده شما شود كه كجا كجاست كدام كي ما من مي نه نيز هر هست هستند هم همه و ولي يا يك
    अगर अपना अपनी अपने आप इन इस उन उस उसका उसकी उसके एक और कब कभी करना करने कहाँ कहां का कि कितना कितनी कितने
    किस किसने
    की कुछ के को कोई कौन क्या क्यों कैसे गया गई गए जब जहाँ जो तक तब तो था थी थे द्वारा नहीं ने पर बारे भी मुझे
    में मेरा
    मेरी मैं यह यहाँ या ये रहा रही रहे लिए वह वहाँ वे साथ से हम हमारा हमारे हमारी ही हुआ हुई हुए है हैं हो होता
    होती होते
    होना
""")
"""Common words of Greek, Hebrew, Arabic, Persian (as Arabic letters write it) and Hindi.

Their scripts are their own, so that no language has to be guessed.
"""


# One common word of Latin letters may be a name or an abbreviation (CI, per, van); Cyrillic ones are not mistaken.
_NEEDED: Final = MappingProxyType({"russian": 1})


def guess_language(words: Iterable[str]) -> str:
    """The language most of whose common words stand in `words` (case-folded): English unless two or more say else."""
    found = list(words)
    counts = {language: sum(word in stops for word in found) for language, stops in STOPWORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    sure = counts[best] > counts[DEFAULT_LANGUAGE] and counts[best] >= _NEEDED.get(best, 2)
    return best if sure else DEFAULT_LANGUAGE
