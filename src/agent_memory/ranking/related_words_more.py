"""Tables of `related` for other languages than English. See there how they are read."""

from typing import Final

_PRODUCTS: Final = (
    "postgres postgresql mysql sqlite mongodb redis mariadb dynamodb cassandra oracle",
    "python java javascript typescript rust golang ruby kotlin swift php scala haskell",
    "vim neovim emacs vscode jetbrains intellij pycharm cursor zed sublime",
    "aws gcp azure heroku vercel netlify cloudflare digitalocean hetzner",
    "linux windows macos ubuntu debian android ios",
    "chrome firefox safari edge chromium",
    "kafka rabbitmq sqs nats celery",
)


def _named(*heads: str) -> str:
    """Rows for products, whose names are the same in every language."""
    return "\n".join(f"{head}: {members}" for head, members in zip(heads, _PRODUCTS, strict=True))


GERMAN: Final = f"""
    {_named("datenbank", "programmiersprache", "editor", "cloud anbieter", "betriebssystem", "browser", "queue")}
    instrument: klavier gitarre geige klarinette flöte trommel schlagzeug saxophon trompete cello harfe bass orgel
    haustier tier: hund katze welpe kaninchen hamster schildkröte fisch papagei pferd vogel meerschweinchen
    hund: welpe labrador pudel terrier dackel schäferhund
    sportart sport: fußball basketball tennis schwimmen laufen golf handball boxen skifahren radfahren klettern
    hobby freizeit: lesen malen zeichnen wandern kochen backen gärtnern fotografieren stricken schach tanzen angeln
    musik: lied band konzert sänger gitarre klavier jazz rock pop klassik
    essen gericht speise: pizza nudeln salat suppe reis huhn steak brot käse fisch gemüse
    getränk trinken: kaffee tee saft wein bier wasser milch limonade
    obst frucht: apfel banane orange erdbeere traube pfirsich birne kirsche zitrone
    allergie allergisch unverträglichkeit: nüsse laktose gluten erdnüsse milch
    land: deutschland österreich schweiz frankreich spanien italien england polen usa china japan indien kanada
    stadt: berlin hamburg münchen köln wien zürich london paris rom madrid tokio york
    farbe: rot blau grün gelb orange lila rosa schwarz weiß braun grau
    beruf arbeit: lehrer arzt krankenpfleger ingenieur anwalt koch künstler entwickler designer mechaniker
    familie verwandte: mutter vater schwester bruder sohn tochter frau mann eltern oma opa tante onkel
    geschwister: bruder schwester zwilling
    kind: sohn tochter baby junge mädchen
    eltern: mutter vater
    auto fahrzeug: vw bmw audi mercedes opel toyota tesla lastwagen fahrrad motorrad
    krankheit: grippe fieber krebs diabetes asthma erkältung kopfschmerzen
    jahreszeit: frühling sommer herbst winter
    löschen: entfernen tilgen
    kaufen: erwerben besorgen
    beginnen: anfangen starten
    fehler: ausnahme absturz bug
    kunde: auftraggeber klient
"""
FRENCH: Final = f"""
    {_named("données", "langage", "éditeur", "cloud hébergeur", "exploitation", "navigateur", "file")}
    instrument: piano guitare violon clarinette flûte tambour batterie saxophone trompette violoncelle harpe basse orgue
    animal: chien chat chiot lapin hamster tortue poisson perroquet cheval oiseau
    chien: chiot labrador caniche terrier berger
    sport: football basket tennis natation course golf handball volley boxe ski vélo escalade
    loisir: lecture peinture dessin randonnée cuisine jardinage photographie tricot échecs danse chant pêche
    musique: chanson groupe concert chanteur guitare piano jazz rock pop
    plat repas nourriture: pizza pâtes salade soupe riz poulet steak pain fromage poisson légumes
    boisson: café thé jus vin bière eau lait limonade
    fruit: pomme banane orange fraise raisin pêche poire cerise citron
    allergie allergique: noix lactose gluten arachides lait
    pays: france allemagne espagne italie angleterre belgique suisse canada chine japon inde maroc
    ville: paris lyon marseille bordeaux lille londres berlin madrid rome bruxelles genève tokyo montréal
    couleur: rouge bleu vert jaune orange violet rose noir blanc brun gris
    métier profession travail: professeur médecin infirmier ingénieur avocat cuisinier artiste développeur mécanicien
    famille: mère père sœur frère fils fille femme mari parents tante oncle cousin
    enfant: fils fille bébé garçon
    parent: mère père
    voiture véhicule: renault peugeot citroën toyota bmw tesla camion vélo moto
    maladie: grippe fièvre cancer diabète asthme rhume
    saison: printemps automne hiver
    supprimer: effacer enlever
    acheter: acquérir
    commencer: débuter démarrer
    erreur: exception bogue panne
"""
SPANISH: Final = f"""
    {_named("datos", "programación", "editor", "nube proveedor", "operativo", "navegador", "cola")}
    instrumento: piano guitarra violín clarinete flauta tambor batería saxofón trompeta violonchelo arpa bajo órgano
    mascota animal: perro gato cachorro conejo hámster tortuga pez loro caballo pájaro
    perro: cachorro labrador caniche terrier pastor
    deporte: fútbol baloncesto tenis natación golf balonmano voleibol boxeo esquí ciclismo escalada
    afición pasatiempo: lectura pintura dibujo senderismo cocina jardinería fotografía ajedrez baile canto pesca
    música: canción banda concierto cantante guitarra piano jazz rock pop
    comida plato: pizza pasta ensalada sopa arroz pollo pan queso pescado verduras
    bebida: café té zumo jugo vino cerveza agua leche limonada
    fruta: manzana plátano naranja fresa uva melocotón pera cereza limón
    alergia alérgico: nueces lactosa gluten cacahuetes leche
    país: españa francia alemania italia inglaterra portugal méxico argentina chile colombia perú china japón india
    ciudad: madrid barcelona valencia sevilla londres parís berlín roma lisboa tokio bogotá lima
    color: rojo azul verde amarillo naranja morado rosa negro blanco marrón gris
    trabajo profesión: profesor médico enfermero ingeniero abogado cocinero artista desarrollador mecánico
    familia: madre padre hermana hermano hijo hija esposa marido padres abuela abuelo tía tío primo
    hermano: hermana gemelo
    hijo niño: hija bebé chico chica
    coche carro vehículo: seat toyota bmw ford tesla camión bicicleta moto
    enfermedad: gripe fiebre cáncer diabetes asma resfriado
    estación: primavera verano otoño invierno
    borrar: eliminar suprimir quitar
    comprar: adquirir
    empezar: comenzar iniciar
    error: excepción fallo
"""
