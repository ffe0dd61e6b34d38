import pytest

from agent_memory.text.tokens import MOST_CHARACTERS_A_TOKEN, estimate, weigh
from support.tokens import count_tokens

CODE = {
    "Rust": """
        impl<S: Store + Send, Q> Gate<S, Q> where Q: Iterator<Item = Vec<u8>> {
            pub fn open(&mut self, key: &str) -> Result<Option<Box<Note>>, Error> {
                self.notes.get_mut(key).map(|n| n.as_ref()).ok_or_else(|| Error::missing(key))?;
                Ok(None)
            }
        }
        """,
    "C": """
        #ifndef GATE_STORE_H
        #define GATE_STORE_H 1

        static inline int gate_store_put(struct gate_store *s, const uint8_t *key, size_t len) {
            if (!s || !key || len > GATE_MAX_KEY_LEN) { return -EINVAL; }
            memcpy(&s->slots[s->n_used++].key[0], key, len); /* no terminator */
            return s->flush_cb ? (*s->flush_cb)(s, GATE_FLUSH_ALL) : 0;
        }

        #endif
        """,
    "TypeScript": """
        export const openGate = async ({ storeId, maxTokens = 800 }: GateOptions): Promise<Gate> => {
            const found = await this.notes.filter((n) => n.storeId === storeId && !n.isHidden)[0];
            return { ...found, at: new Date().toISOString(), tags: [...(found?.tags ?? []), `t-${maxTokens}`] };
        };
        """,
}


@pytest.mark.parametrize(
    ("text", "counted"),  # the larger of the cl100k and o200k counts
    [
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("def add(left: int, right: int) -> int:\n    return left + right\n", 18),
        ("今天下午部署了支付服务。", 14),
        ("Сегодня мы развернули платёжный сервис.", 17),
        ("Die Verteidigung der Panthers gab nur 308 Punkte ab", 14),
    ],
)
def test_the_estimate_is_near_what_tokenizers_count(text: str, counted: int) -> None:
    assert 0.9 * counted <= estimate(text) <= 1.5 * counted


def test_nothing_costs_nothing_and_anything_else_something() -> None:
    assert estimate("") == 0
    assert all(estimate(text) >= 1 for text in ("a", ".", "\x00", "é", "\ud800", "🚀", "字"))


def test_no_text_has_more_characters_a_token_than_stated() -> None:
    for run in (" ", "a", "a ", "\n", "aaaaaaaaaaa ", "0", ".", "é", "字"):
        text = (run * 4000)[:4000]
        assert len(text) <= MOST_CHARACTERS_A_TOKEN * estimate(text)


@pytest.mark.parametrize("language", CODE)
def test_of_code_the_estimate_is_not_far_over_what_tokenizers_count(language: str) -> None:
    assert 1.0 <= estimate(CODE[language]) / count_tokens(CODE[language]) <= 1.2


def test_a_longer_text_never_weighs_less() -> None:
    for run in ("AAAAA", "::::::", "\n\n\n\n", "aAAbBB..", "A1A1AA", ");\n\n\n", " AA  ..é..ÉÉ\n\nA"):
        weights = [weigh((run * 3)[:length]) for length in range(3 * len(run))]
        assert weights == sorted(weights)
