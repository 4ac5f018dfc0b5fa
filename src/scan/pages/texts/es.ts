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
  unavailable: {
    title: 'Un momento, por favor',
    text: 'Ahora mismo no podemos consultar este código. La página se actualizará automáticamente en unos segundos.',
    retry: 'Reintentar',
  },
}
