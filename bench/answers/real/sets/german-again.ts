import { asks, undocumented } from './question.ts'

/** Written for this evaluation, unlike the documentation of packages. */
export const GERMAN_AGAIN = [
  asks(
    'Räume kartieren',
    ['ziehen Sie eine Linie', 'lange auf einen Raum'],
    'kann man wohnzimmer und küche voneinander trennen wenn er sie für ein einziges zimmer hält',
  ),
  undocumented('Wie viel Watt zieht die Ladestation im Standby?'),
  asks(
    'Saugkraft und Modi',
    ['erhöht der Roboter die Saugkraft', 'von selbst'],
    'Muss ich beim Spannteppich selber auf mehr Power schalten?',
  ),
  asks(
    'Sensoren abwischen',
    ['Absturzsensoren', 'Mikrofasertuch'],
    'Er bleibt bei unserem schwarzen Parkett immer stehen und traut sich nicht drüber, als wäre dort ein Abgrund',
  ),
  asks('Staubbehälter leeren', 'jeder zweiten Fahrt', 'Wie oft muss ich den Dreck in den Mistkübel kippen?'),
  asks(
    'Reinigung planen',
    ['unter 30 Prozent', 'lädt er zuerst'],
    'Gestern hätte er um acht losfahren sollen, stattdessen ist er einfach stehen geblieben und hat sich weiter aufgeladen. Die Batterie war fast leer. Ist das normal oder ist was kaputt?',
  ),
  asks(
    'Technische Daten',
    ['Schwellen bis 2 cm', 'bis 2 cm'],
    'Schafft er unsere Türschwelle? Die ist anderthalb Zentimeter hoch',
  ),
  asks(
    'Fehlermeldungen',
    'bis er einrastet',
    'Er behauptet, es sei kein Staubbehelter drin, dabei hab ich ihn grad wieder reingetan',
  ),
  asks('Sperrzonen einrichten', 'zehn Sperrzonen', 'Wie viele verbotene Bereiche darf ich pro Plan einzeichnen?'),
  asks('Saugkraft und Modi', '70 Minuten', 'Wie lange hält er auf der höchsten Stufe durch?'),
  undocumented('Mein WLAN ist mit WPA3 verschlüsselt und der Netzname ist versteckt, geht das trotzdem?'),
  asks(
    'Ersten Start vorbereiten',
    ['Schaumstoffkeile', 'Entfernen Sie die beiden'],
    'Hab den Saugroboter grad ausgepackt, da steckt vorne so ein weisses Schaumzeug drin. Muss das weg?',
  ),
  asks(
    'Lautstärke und Sprache',
    ['Nicht stören', 'von 22 bis 7 Uhr'],
    'Der redet mitten in der Nacht und weckt das Baby auf, kann man das abstellen?',
  ),
  asks('Wischen', ['60 Grad', 'ohne Weichspüler'], 'Wie heiss darf ich den Wischlappen in der Maschine waschen?'),
  undocumented('Wo muss ich den alten Akku entsorgen, wenn ich einen neuen einbaue?'),
  asks(
    'Seitenbürste ersetzen',
    'Kreuzschlitz-Schraubendreher',
    'Was für ein Werkzeug brauche ich, um den kleinen Besen am Rand abzumontieren?',
  ),
  asks(
    'Roboter findet die Station nicht',
    ['ob die Station Strom hat', 'rücken Sie sie von der Wand ab', 'Räumen Sie Gegenstände'],
    'Nach dem Saugen irrt er in der ganzen Wohnung herum und kommt nicht mehr heim zum Aufladen. Was kann ich machen?',
  ),
  asks('Datenschutz', 'nicht gespeichert', 'Werden Fotos von meiner Wohnung irgendwo abgelegt?'),
  asks('Akku pflegen und tauschen', '69 Euro', 'was kostet eine neue batterie'),
  asks(
    'Auf Werkseinstellungen zurücksetzen',
    'zehn Sekunden lang',
    'Ich will das Gerät auf Ricardo verkaufen, wie lösche ich alles, was drauf ist?',
  ),
  asks(
    'Hauptbürste reinigen',
    ['Messerchen', 'zwei Laschen', 'Heben Sie die Bürste heraus'],
    'Meine langen Haare haben sich um die Walze gewickelt, wie krieg ich die wieder runter?',
  ),
  undocumented('Lässt er sich mit Alexa oder Siri per Sprachbefehl starten?'),
  asks(
    'Sperrzonen einrichten',
    ['Sperrzone ist ein Rechteck', 'virtuelle Wand', 'zehn Sperrzonen'],
    'Wie verhindere ich, dass er dauernd ins Hundebettli fährt?',
  ),
  asks(
    'Akku pflegen und tauschen',
    ['halb vollem Akku', 'ausgeschaltet'],
    'Ab Jänner sind wir drei Monate in Neuseeland. Meine Schwiegermutter will den Roboter nicht benutzen, also kommt er so lange in den Kasten. Wie soll ich ihn am besten einlagern, damit er danach noch läuft?',
  ),
  undocumented('Gefällt mir leider doch nicht. Wie lange kann ich ihn nach dem Kauf noch zurückgeben?'),
  asks(
    'Wischen',
    ['verstopft die Düse', 'klares Wasser'],
    'darf ich ein bissl putzmittel dazugeben wenn er feucht aufwischt',
  ),
  asks('Ersten Start vorbereiten', 'vier Stunden', 'wie lange muss er beim allerersten mal am strom hängen'),
  asks(
    'Ersten Start vorbereiten',
    ['halben Meter', 'anderthalb Meter'],
    'Wieviel Abstand muss ich neben und vor der Dockingstation freilassen?',
  ),
  undocumented('Bei mir kommt F07, was heisst das?'),
  asks(
    'Filter reinigen und tauschen',
    ['nicht nass werden', 'Klopfen Sie den Filter'],
    'Kann man den Filter unter dem Wasserhahn auswaschen?',
  ),
  asks(
    'Garantie und Reparatur',
    ['Verschleißteile', 'davon ausgenommen'],
    'Meine Seitenbürste ist nach einem Jahr hinüber, bekomme ich die auf Garanite ersetzt?',
  ),
  undocumented('was kostet ein ersatzfilter'),
  asks(
    'Roboter dreht sich im Kreis',
    ['ein Rad verschmutzt', 'Stoßfänger klemmt', 'Klopfen Sie den Stoßfänger'],
    'Seit heute früh fährt er nur noch im Kreis herum statt geradeaus, was ist da los?',
  ),
  asks(
    'Räume kartieren',
    ['erkennt die Etage selbst', 'bis zu vier Karten'],
    'Wir wohnen im Haus mit Erdgeschoss, Obergeschoss und Keller und haben nur einen Sauger. Wenn ich ihn die Stiege hinauftrage, muss ich ihm dann jedes Mal sagen, wo er gerade ist, oder merkt er das?',
  ),
  undocumented('Kann meine Frau den Roboter auch auf ihrem Handy in der App haben?'),
  asks(
    'Mit dem WLAN verbinden',
    ['Start und Haus', 'drei Sekunden lang'],
    'Welche Knöpfe muss ich drücken, damit er sich mit dem Handy koppeln lässt?',
  ),
  asks(
    'Mit dem WLAN verbinden',
    '2,4 GHz',
    'Wir haben seit letzter Woche einen neuen Router, der funkt nur auf 5 Gigahertz, und jetzt taucht mein Roboter nicht mehr auf. Woran kann das liegen?',
  ),
  asks('Firmware aktualisieren', ['Aktualisierung', 'mindestens zur Hälfte'], 'wie mach ich ein softwareupdate selber'),
  asks(
    'Reinigung planen',
    'Zeitplan',
    'Ich möchte, dass er jeden Montag und Donnerstag um neun von alleine loslegt. Wo stell ich das ein?',
  ),
  asks('Fehlermeldungen', ['30 Minuten abkühlen lassen', 'Akku zu heiß'], 'F09 was tun'),
]
