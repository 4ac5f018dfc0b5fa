import type { NoticeTexts } from './texts.ts'

export const es: NoticeTexts = {
  paused: {
    title: 'Este código está en pausa',
    text: 'Su propietario lo ha desactivado temporalmente. Vuelva a intentarlo más tarde.',
  },
  not_set_up: {
    title: 'Este código aún no está configurado',
    text: 'Todavía no tiene ningún contenido asociado. Vuelva a consultarlo más adelante.',
    owner: '¿Es suyo este código? Añada un destino y estará listo para usarse.',
  },
  unknown: {
    title: 'No hemos encontrado este código',
    text: 'Compruebe la dirección o vuelva a escanear el código. Es posible que la impresión esté dañada.',
  },
  not_found: {
    title: 'Página no encontrada',
    text: 'No hay ninguna página en esta dirección. Compruebe que esté bien escrita.',
  },
  gone: {
    title: 'Este código ya no está en uso',
    text: 'Se ha eliminado definitivamente. Si necesita ayuda, póngase en contacto con el propietario.',
  },
  malformed: {
    title: 'Este enlace no es válido',
    text: 'La dirección no cumple las reglas de GS1. Vuelva a escanear el código. Puede que la impresión esté deteriorada.',
  },
  compressed: {
    title: 'Los enlaces comprimidos no son compatibles',
    text: 'Este es un GS1 Digital Link en su forma comprimida. Utilice la forma en la que se puede leer el número del producto.',
  },
  no_link: {
    title: 'Esta información no está disponible',
    text: 'El propietario no ha añadido ningún enlace del tipo solicitado. Escanee el código para ver qué hay disponible.',
  },
  unavailable: {
    title: 'Un momento, por favor',
    text: 'Ahora mismo no podemos consultar este código. La página se actualizará automáticamente en unos segundos.',
    retry: 'Reintentar',
  },
}
