"""The tables of `related`, for English. See there how they are read."""

from typing import Final

ENGLISH: Final = """
    instrument: piano guitar violin clarinet flute drum saxophone sax trumpet cello harp keyboard ukulele banjo bass
    instrument: trombone oboe accordion harmonica viola mandolin bagpipes
    pet animal: dog cat puppy kitten rabbit hamster turtle tortoise goldfish parrot horse snake lizard ferret gecko bird
    animal wildlife: lion tiger bear elephant monkey fox wolf deer squirrel eagle owl whale dolphin shark cow sheep goat
    animal wildlife: pig chicken duck frog penguin bee butterfly
    puppy: pup dog
    dog: puppy pup labrador poodle terrier beagle shepherd bulldog husky collie spaniel dachshund corgi
    cat: kitten kitty
    sport: football soccer basketball baseball tennis swimming running golf hockey volleyball cricket rugby badminton
    sport: boxing surfing skiing snowboarding cycling skating climbing gymnastics rowing wrestling marathon karate
    martial: karate judo taekwondo kickboxing boxing jiujitsu aikido kungfu wrestling capoeira
    exercise workout fitness: running jogging yoga pilates gym weights lifting swimming cycling cardio aerobics hiking
    hobby activity interest pastime leisure: reading painting drawing writing hiking cooking baking gardening
    hobby activity interest pastime leisure: photography knitting sewing crochet gaming chess dancing singing swimming
    hobby activity interest pastime leisure: running cycling fishing camping pottery sculpting woodworking yoga surfing
    hobby activity interest pastime leisure: climbing traveling volunteering
    outdoor: hiking camping fishing kayaking mountaineering climbing cycling surfing picnic skiing canoeing sailing
    art artwork craft: painting drawing sculpture pottery ceramics sketch watercolor mural photography portrait collage
    art artwork craft: quilting embroidery calligraphy
    paint: watercolor canvas acrylic portrait landscape brush easel
    music: song album band concert singer guitar piano jazz rock pop classical rap blues orchestra playlist
    genre: rock pop jazz classical blues rap country folk metal punk reggae electronic fantasy romance thriller mystery
    genre: horror comedy drama scifi biography
    song: track tune album lyrics single melody
    book novel: author novel reading chapter story series memoir biography trilogy paperback
    author: novelist poet writer
    movie film show: cinema comedy drama thriller sequel trilogy documentary netflix episode
    game: chess monopoly poker xbox playstation nintendo console tournament multiplayer minecraft scrabble puzzle
    console: xbox playstation nintendo switch wii
    food dish meal cuisine: pizza pasta salad soup sandwich burger sushi curry rice chicken steak taco lasagna noodles
    food dish meal cuisine: bread cheese stew roast barbecue seafood vegetables breakfast lunch dinner
    dessert sweet snack treat: cake cookie pie chocolate brownie cupcake pudding tart donut candy pastry muffin popcorn
    drink beverage: coffee tea juice wine beer soda smoothie water milk cocktail whiskey latte lemonade
    fruit: apple banana orange strawberry blueberry grape mango peach pear cherry raspberry pineapple lemon melon
    vegetable: carrot potato tomato onion broccoli spinach lettuce pepper cucumber cabbage peas beans kale
    ingredient: flour sugar butter egg salt oil garlic onion vanilla coconut chocolate
    diet allergy allergic: vegan vegetarian gluten dairy lactose nuts peanut keto
    country nation: usa america england france germany spain italy sweden norway canada mexico brazil china japan india
    country nation: ireland scotland portugal greece turkey russia australia thailand vietnam indonesia egypt kenya
    country nation: poland netherlands belgium switzerland austria denmark finland argentina peru colombia korea ukraine
    city town: london paris rome berlin tokyo boston chicago seattle barcelona madrid amsterdam vienna prague dublin
    city town: lisbon sydney toronto vancouver miami denver austin houston dallas portland philadelphia atlanta detroit
    city town: nyc york francisco angeles vegas moscow beijing shanghai delhi mumbai singapore bangkok istanbul athens
    city town: stockholm oslo copenhagen zurich munich hamburg
    state: california texas florida oregon washington nevada arizona colorado michigan ohio georgia minnesota alaska
    state: hawaii connecticut massachusetts wisconsin virginia
    place destination location: beach mountain island park lake city country hotel resort museum castle office
    travel trip vacation: beach flight hotel resort tour abroad visited journey
    color colour: red blue green yellow orange purple pink black white brown gray grey gold silver turquoise beige
    flower plant: rose sunflower tulip lily daisy orchid dahlia lavender fern succulent cactus tree garden seeds
    vehicle transport: car truck bicycle bus train motorcycle van scooter boat plane suv
    car: prius toyota honda ford bmw tesla mustang jeep audi mercedes sedan suv truck vehicle
    job career profession occupation: teacher doctor nurse engineer lawyer counselor counseling chef artist writer
    job career profession occupation: manager banker accountant programmer developer designer scientist mechanic officer
    job career profession occupation: firefighter business office colleague work
    field major degree: psychology engineering biology physics chemistry mathematics history literature economics
    field major degree: medicine law nursing counseling business philosophy sociology computing
    school education: college university class course degree teacher student graduate exam
    family relative: mother father sister brother son daughter wife husband parents grandma grandpa grandmother
    family relative: grandfather aunt uncle cousin niece nephew child
    sibling: brother sister twin
    child: son daughter baby toddler boy girl
    parent: mother father
    partner spouse relationship status: husband wife boyfriend girlfriend married single engaged divorced dating breakup
    friend: buddy pal friendship roommate teammate
    clothes clothing outfit: shirt dress jeans jacket hoodie sweater skirt coat hat suit shoes pants
    jewelry accessory: necklace ring bracelet earrings pendant watch
    furniture: chair table couch sofa desk bed shelf lamp
    device gadget electronics equipment: phone laptop tablet computer camera headphones tv monitor console speaker
    health illness disease medical: sick cancer diabetes asthma flu fever headache pain surgery injury arthritis anxiety
    health illness disease medical: depression doctor hospital
    injury hurt: broke sprained ankle knee twisted fracture wrist
    emotion feeling feel: happy sad angry excited nervous anxious proud scared lonely grateful relieved frustrated upset
    stress destress relax unwind: calm therapy meditation yoga peaceful bath relaxing
    religion religious faith: church christian god bible prayer catholic muslim jewish buddhist islam temple
    holiday celebration: christmas halloween thanksgiving easter birthday hanukkah festival party
    event: concert festival party parade conference workshop meeting fair wedding ceremony exhibition fundraiser race
    event: tournament meetup
    charity volunteer cause: shelter homeless donate fundraiser nonprofit community
    nature: forest mountain lake ocean river beach park sunset waterfall trees trail
    weather: rain snow sunny storm wind cloudy
    material: wood metal clay glass plastic cotton leather wool paper
    symbol: flag cross heart eagle rainbow butterfly
    gift: necklace card flowers ring
    season: spring summer autumn winter
    language: english spanish french german italian chinese japanese korean russian portuguese arabic hindi
    database: postgres postgresql mysql sqlite mongodb redis mariadb dynamodb cassandra oracle sql
    language: python java javascript typescript rust golang ruby kotlin swift php scala haskell
    framework: django flask fastapi react vue angular svelte rails express laravel nextjs
    editor ide: vim neovim emacs vscode jetbrains intellij pycharm cursor zed sublime
    cloud hosting provider: aws gcp azure heroku vercel netlify cloudflare digitalocean hetzner
    queue broker: kafka rabbitmq sqs nats celery
    cache: redis memcached varnish
    browser: chrome firefox safari edge chromium
    os: linux windows macos ubuntu debian android ios
    shell: bash zsh fish powershell
    payment: stripe paypal invoice billing card
    chat messenger: slack discord teams telegram whatsapp
    pipeline ci: jenkins github gitlab circleci workflow build
    login signin: authentication oauth sso password session token
    authentication: oauth sso jwt login password token
    encryption: tls ssl aes rsa certificate
    deploy deployment: release rollout ship kubernetes
    container: docker kubernetes podman pod image
    test testing: pytest jest unittest mocha vitest
    monitoring: grafana prometheus datadog sentry alert
    linter formatter: ruff eslint prettier black flake8 pylint
    license licence: mit apache gpl bsd
    begin start launch open
    buy purchase get order
    visit travel trip
    join participate involved
    attend went
    enjoy love like favorite prefer
    favorite preferred prefer
    vacation journey getaway trip
    baby pregnant birth
    photo snapshot
    house home apartment
    sick ill
    happy glad
    scared afraid
    big large huge
    small little tiny
    fast quick
    difficult hard tough challenging
    help support assist
    teach class lesson
    plan going intend
    decide decision chose
    reason because
    fix repair
    create make build
    win first prize award
    marry wedding marriage
    store shop
    boss manager supervisor
    company business firm employer
    money cash financial
    show exhibit exhibition
    speech talk presentation
    hike trail
    exercise workout gym
    doctor hospital
    food meal eat
    cook recipe
    recently lately
    mentor mentorship
    counsel therapy
    promote advertise marketing campaign
    remove delete erase drop
    fetch retrieve obtain download
    error failure exception crash bug
    customer client
    salary pay wage income
    rent lease
    deadline due
    meeting appointment call
    price cost fee
    phone mobile
    birthday born birth
    move relocate
    quit resign leave
    hire recruit
    argue fight quarrel
    injure hurt
    die death pass
    clean tidy
    pick choose select
    forbid ban prohibit
    colleague coworker workmate
    roommate flatmate housemate
    apartment flat condo
    sofa couch
    tv television
    soccer football
    holiday vacation
    trash garbage rubbish
    lawyer attorney
    doctor physician
    police cop officer
    prison jail
    gas petrol fuel
    truck lorry
    purse handbag wallet
    taxi cab uber
    supermarket grocery groceries
    university college campus
    exam test quiz
    professor lecturer teacher
    pupil student
    pharmacy drugstore
    ache pain hurt
    tired exhausted
    angry mad furious
    sad depressed
    nervous anxious worried stressed
    surprised shocked amazed
    beautiful gorgeous pretty
    delicious tasty yummy
    smart clever intelligent
    rich wealthy
    cheap inexpensive affordable
    expensive costly pricey
    famous popular
    important crucial essential
    dangerous risky
    broken damaged
    quiet silent
    noisy loud
    dirty messy
    sleep nap
    talk chat speak discuss
    shout yell
    walk stroll
    carry bring
    solve resolve fix
    explain describe clarify
    agree accept
    refuse reject decline
    postpone delay reschedule
    arrive reach
    leave depart
    drive ride
    fly flight plane
    funeral death
    fired dismissed layoff
    contract agreement
    invoice bill receipt
    password credential secret
    server host machine
    website site webpage
    email mail
    video clip footage
    team group crew squad
    employee staff worker
    vendor supplier
    profit revenue earnings sales
    discount coupon
    delivery shipping shipment
    wedding bride groom
    trip excursion
    award medal prize
    concert gig
    shore coast beach
    woods forest
    road street avenue
    ship boat
    required mandatory
    allow permit
"""

UNLIKE: Final = """
    account accounts accounted accounting
    activate activates activated activating activation activations active actively
    animate animates animated animating animation animations
    apart
    authority authorities authorization authorizations authorize authorized authorizes authorizer authorizing
    awful
    busy
    compute computes computed computation computations computational
    contain contains contained containing
    custom customize customizes customized customizing customization customizations
    date dates dated
    department departments
    design designs designed designate designated designates designation
    develop develops developed developing development developments
    electron electrons
    engine engines
    except excepting
    exhaustive exhaustively
    expression expressions expressive expr
    fairly
    fire fires firing
    fit fits fitted fitting
    import imports imported importing
    io
    late
    likely
    majority
    manage manages managed managing management
    mechanism mechanisms mechanical mechanically
    nat
    physical physically
    provide provides provided providing
    quite
    relate relates related relating relation relations relational
    stateful
    suite suites
    window
"""
