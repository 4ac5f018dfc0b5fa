export interface SearchQuestion {
  language: 'en' | 'de' | 'es'
  q: string
  /** The key of the article that answers it. */
  article: string
}

/** The synonyms that the maker of such a help centre would enter. */
export const SYNONYMS: string[][] = [
  ['fridge', 'refrigerator'],
  ['guarantee', 'warranty'],
  ['hob', 'cooktop', 'stove'],
  ['vacuum cleaner', 'hoover'],
  ['phone', 'secondary device'],
  ['sofa', 'couch'],
  ['limescale', 'lime', 'calcium'],
  ['Spülmaschine', 'Geschirrspüler'],
  ['Sofa', 'Couch', 'Polster'],
  ['Herd', 'Kochfeld'],
  ['Rückgabe', 'Retoure', 'zurücksenden'],
  ['nevera', 'frigorífico'],
  ['wifi', 'red inalámbrica'],
]

const of = (language: SearchQuestion['language'], lines: string): SearchQuestion[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [article = '', q = ''] = line.split('|').map((part) => part.trim())
      return { language, q, article }
    })

/** What people type: a few words, whole questions, other words than the article has, typos, words together and apart. */
export const QUESTIONS: readonly SearchQuestion[] = [
  ...of(
    'en',
    `
    washer-leak | washing machine leaking
    washer-leak | my washer leaves a puddle on the kitchen floor
    washer-smell | washing machine smells bad
    washer-smell | mouldy smel from washer drum
    washer-spin | clothes come out dripping wet
    washer-spin | machine does not spin
    washer-e18 | E 18
    washer-e18 | error e18 washing machine
    washer-e18 | water won't drain
    washer-child-lock | child lock
    washer-child-lock | stop my toddler from pressing the buttons
    dishwasher-white-film | cloudy glasses with white residue
    dishwasher-white-film | limescale on my glases
    dishwasher-install | install dishwasher
    dishwasher-install | how do I fit a dish washer under the worktop
    dishwasher-tabs | dishwasher tablet not disolving
    dishwasher-tabs | tab still in the dispenser
    fridge-frost | ice in refrigerator
    fridge-frost | how to defrost my fridge
    fridge-noise | fridge makes strange noise
    fridge-noise | refridgerator gurgling
    fridge-temperature | what temprature should a fridge have
    fridge-temperature | best temperature for freezer
    fridge-bulb | change light bulb in refrigerator
    fridge-bulb | e 14 lamp
    oven-clean | self cleaning oven pyrolytic
    oven-clean | burnt grease in oven
    oven-clock | oven clock flashing
    oven-clock | set time oven after power outage
    hob-pan | induction hob does not detect pan
    hob-pan | which pots work on an induction cooktop
    hood-filter | replace charcol filter
    hood-filter | extractor hood grease filter dishwasher
    sofa-stain | red wine on my couch
    sofa-stain | coffee stain fabric sofa
    sofa-cover | can I wash the cushion covers
    sofa-cover | remove sofa covers zip
    table-oil | how often to oil oak table
    table-oil | hardwax oil
    wardrobe-door | wardrobe doors are crooked adjust hinges
    wardrobe-door | adjust wardrobe dor
    wardrobe-wall | secure bookcase to wall
    wardrobe-wall | furniture tip over toddler safety
    drawer-stuck | drawer is stuck
    drawer-stuck | drawer runners
    bed-slats | squeaky creaking bed
    bed-slats | bedframe makes noise
    vacuum-suction | hoover has no suction
    vacuum-suction | vaccum cleaner weak sucton
    robot-map | robot map rooms no go zone
    robot-map | set up rooms for robot
    robot-wifi | connect robot to wi-fi
    robot-wifi | robot vacuum wireless 2.4 ghz password
    warranty | warranty period
    warranty | how long do I have guarantie
    return | return an item
    return | refund for something I sent back
    delivery-date | reschedule delivery
    delivery-date | change apointment for delivery
    spare-parts | order spareparts
    spare-parts | where is the model number
    account-mail | lost phone
    account-mail | lost phone cannot sign in
    autofill | auto fill
    autofill | turn off auto fill address
    `,
  ),
  ...of(
    'de',
    `
    wm-auslauf | Waschmaschine undicht
    wm-auslauf | unter der waschmaschine ist wasser
    wm-geruch | Waschmaschine stinkt muffig
    wm-geruch | schlechter geruch trommel
    wm-e18 | E 18
    wm-e18 | Waschmaschine pumpt Wasser nicht ab
    wm-e18 | flusen sieb reinigen
    wm-kindersicherung | Kinder Sicherung
    wm-kindersicherung | tasten sperren kindersicherrung
    gs-belag | Gläser werden weiß
    gs-belag | kalk auf gläsern spülmaschine
    gs-einbau | spülmaschine einbauen
    gs-einbau | Einbau Geschirspüler Arbeitsplatte
    gs-tab | Spülmaschinentab löst sich nicht auf
    gs-tab | tab klappe blockiert
    ks-eis | Kühlschrank vereist
    ks-eis | wie taue ich den kühlschrank ab
    ks-geraeusch | Kühlschrank brummt laut
    ks-geraeusch | komische geräusche gluckern
    ks-temperatur | welche temperatur im kühlschrank
    ks-temperatur | Temperatur Gefrierfach
    ks-lampe | Lampe im Kühlschrank wechseln
    ks-lampe | Innen Beleuchtung austauschen
    of-pyrolyse | Backofen reinigen Pyrolyse
    of-pyrolyse | eingebranntes Fet im Ofen
    of-uhr | Uhr am Backofen stellen
    of-uhr | Backofen blinkt nach Stromausfal
    kf-topf | Induktion erkennt Topf nicht
    kf-topf | welche Töpfe für Induktionsherd
    dh-filter | Dunstabzug Filter wechseln
    dh-filter | Kohle Filter ersetzen
    so-fleck | Rotweinfleck Sofa
    so-fleck | Kaffee auf der Couch
    so-bezug | Kissenbezug waschen
    so-bezug | Bezüge in den Trockner
    ti-oel | Tisch ölen
    ti-oel | Holztisch pflegen mit Hartwachs Öl
    sc-tuer | Schranktür hängt schief
    sc-tuer | Scharnier einstellen
    sc-wand | Regal an der Wand befestigen
    sc-wand | Schrank kippt um sichern
    st-saugkraft | Staubsauger zieht nicht mehr
    st-saugkraft | Staub Sauger verstopft
    sr-wlan | Roboter WLAN
    sr-wlan | Saugrobotter mit Wlan verbinden
    se-garantie | Garantie wie lange
    se-garantie | Garantiezeit Kompressor
    se-rueckgabe | Rückgabe
    se-rueckgabe | Artikel zurückschicken Geld zurück
    se-termin | Lieferung verschieben
    se-termin | anderer Liefer Termin
    se-ersatz | Ersatzteil bestellen
    se-ersatz | wo steht die Modelnummer
    `,
  ),
  ...of(
    'es',
    `
    la-fuga | la lavadora pierde agua
    la-fuga | fuga de agua lavadora
    la-olor | lavadora huele mal
    la-olor | mal olor en el tambor
    la-e18 | error e 18
    la-e18 | la lavadora no desagua
    la-ninos | bloqueo niños
    la-ninos | desbloquear teclas lavadora
    lv-cal | vasos con manchas blancas
    lv-cal | cal en los vasos lavavajilas
    lv-instalar | instalar lavavajillas
    lv-instalar | como conecto el lava vajillas
    lv-pastilla | pastilla sin disolver
    lv-pastilla | la pastiya no se disuelve
    fr-hielo | hielo en la nevera
    fr-hielo | descongelar frigorífico
    fr-ruido | ruido nevera
    fr-ruido | el frigorifico hace zumbidos
    fr-temperatura | temperatura del congelador
    fr-temperatura | que temperatura poner en la nevera
    fr-bombilla | cambiar luz nevera
    fr-bombilla | lámpara E 14
    ho-pirolisis | limpiar horno pirólisis
    ho-pirolisis | grasa quemada horno
    ho-reloj | reloj del horno
    ho-reloj | hora del horno tras un apagón de luz
    pl-olla | la placa no reconoce la olla
    pl-olla | sartenes para indución
    ca-filtro | filtro campana
    ca-filtro | cambiar filtro de carbon
    so-manchas | mancha de vino en el sofá tapicería
    so-manchas | quitar café de la tapiceria
    so-fundas | lavar fundas
    so-fundas | funda cojin cremallera
    me-aceite | aceite para mesa de madera
    me-aceite | cuidar mesa maciza
    ar-puertas | puertas del armario torcidas
    ar-puertas | ajustar bisagras armario
    ar-pared | anclar mueble a la pared
    ar-pared | muebles que vuelcan niños
    as-potencia | aspiradora no aspira
    as-potencia | aspirador sin fuerza
    ro-wifi | robot wifi
    ro-wifi | contraseña red robot
    ga-duracion | garantia
    ga-duracion | cuantos años de garantía
    de-devolver | devolución
    de-devolver | quiero devolver un producto reembolso
    en-fecha | cambiar entrega
    en-fecha | otra fecha de entraga
    re-piezas | repuestos
    re-piezas | pedir piesas de recambio
    `,
  ),
]
