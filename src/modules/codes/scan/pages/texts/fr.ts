import type { NoticeTexts } from './texts.ts'

export const fr: NoticeTexts = {
  paused: {
    title: 'Ce code est en pause',
    text: 'Son propriétaire l’a désactivé temporairement. Veuillez réessayer plus tard.',
  },
  not_set_up: {
    title: 'Ce code n’est pas encore configuré',
    text: 'Aucun contenu n’y est associé pour l’instant. Revenez bientôt.',
    owner: 'Ce code est à vous\u00a0? Ajoutez une destination et il sera prêt à l’emploi.',
  },
  unknown: {
    title: 'Ce code est introuvable',
    text: 'Vérifiez l’adresse ou scannez à nouveau le code. L’impression est peut-être abîmée.',
  },
  not_found: {
    title: 'Page introuvable',
    text: 'Il n’y a pas de page à cette adresse. Vérifiez qu’elle est bien écrite.',
  },
  gone: {
    title: 'Ce code n’est plus utilisé',
    text: 'Il a été définitivement supprimé. Pour toute question, contactez son propriétaire.',
  },
  malformed: {
    title: 'Ce lien n’est pas valide',
    text: 'L’adresse ne respecte pas les règles de GS1. Veuillez scanner le code une nouvelle fois. L’impression est peut-être endommagée.',
  },
  compressed: {
    title: 'Les liens compressés ne sont pas pris en charge',
    text: 'Il s’agit d’un GS1 Digital Link sous forme compressée. Utilisez la forme dans laquelle le numéro du produit est lisible.',
  },
  no_link: {
    title: 'Cette information n’est pas disponible',
    text: 'Le propriétaire n’a pas ajouté de lien du type demandé. Scannez le code pour voir ce qui est disponible.',
  },
  unavailable: {
    title: 'Un instant, s’il vous plaît',
    text: 'Nous ne parvenons pas à consulter ce code pour le moment. La page s’actualisera automatiquement dans quelques secondes.',
    retry: 'Réessayer',
  },
}
