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
  unavailable: {
    title: 'Un instant, s’il vous plaît',
    text: 'Nous ne parvenons pas à consulter ce code pour le moment. La page s’actualisera automatiquement dans quelques secondes.',
    retry: 'Réessayer',
  },
}
