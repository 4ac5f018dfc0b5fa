import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('pequeno pequena pequenos pequenas mini compacto compacta')
const LARGE = list('grande grandes')

export const es: QuestionWords = {
  fillers: new Set(
    list(`
      aparece existe indica marca muestra pasa sale significa viene vienen
      algo alguien ayuda ayudar bien bueno cada casi correctamente cosa cuales cuanta cuantas cuanto cuantos debe deberia
      debo decir dice entonces estan estar favor forma fue funciona gracias gustaria hace hacer hago hasta haya hola igual
      mal manera mejor menudo mismo necesita necesito nunca otra otro podria poner posible pueda puede pueden puedo pues
      quiero quisiera sabe saber sea segun sera siempre solo son tambien tan tanto tener tengo tiempo tiene toda todo
      todos tras usar usarlo va ve ver vez veces
    `),
  ),
  howTo: /c[oó]mo|pasos|instrucciones/iu,
  followUp:
    /^\s*¿?\s*(?:y|o|pero|tambi[eé]n|entonces|qu[eé] (?:pasa|hay) con|y para|cu[aá]nto (?:tarda|dura))(?![\p{L}])|(?:el|la|del) (?:grande|pequeño|pequeña|otro|otra)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      limpiar lavar enjuagar limpieza
      reparar arreglar reparacion
      roto averiado defectuoso danado
      comprar pedir
      precio coste cuesta
      cambiar reemplazar sustituir
      borrar eliminar quitar
      gotea fuga pierde
      ruido ruidoso
      error fallo averia
      manual instrucciones
      wifi wlan
      telefono movil smartphone celular
      instalar instalacion
      pantalla visor
      conectar emparejar vincular
      encender arrancar
      apagar
      cargar recargar carga
      fria frio tibia
      peso pesa
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('delantera delantero'), list('trasera trasero')],
    [list('izquierda izquierdo'), list('derecha derecho')],
    [list('viejo vieja antiguo'), list('nuevo nueva')],
  ],
}
