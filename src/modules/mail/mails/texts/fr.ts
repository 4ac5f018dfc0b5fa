import type { MailTexts } from './texts.ts'

export const fr: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Rejoignez {organisation} sur Waymark',
      text: 'Vous avez été invité à rejoindre {organisation} sur Waymark.',
      link: 'Ouvrir l’invitation',
      hint: 'Le lien fonctionne une seule fois, pendant sept jours. Si vous ne connaissez pas cette organisation, vous pouvez ignorer ce message.',
    },
    reset_password: {
      subject: 'Définir un nouveau mot de passe Waymark',
      text: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte Waymark.',
      link: 'Définir un nouveau mot de passe',
      hint: 'Le lien fonctionne une seule fois, pendant une heure. Si ce n’était pas vous, vous pouvez ignorer ce message. Votre mot de passe reste le même.',
    },
    change_email: {
      subject: 'Confirmez votre nouvelle adresse e-mail',
      text: 'Quelqu’un a demandé à utiliser cette adresse e-mail pour un compte Waymark.',
      link: 'Confirmer l’adresse',
      hint: 'Le lien fonctionne une seule fois, pendant un jour. Si ce n’était pas vous, vous pouvez ignorer ce message.',
    },
    email_changed: {
      subject: 'Votre adresse e-mail a été modifiée',
      text: 'Votre compte Waymark utilise désormais une autre adresse e-mail. Nous n’enverrons plus de messages à son sujet à cette adresse-ci.',
      link: 'Ouvrir votre compte',
      hint: 'Si ce n’était pas vous, contactez immédiatement un propriétaire de votre organisation ou l’opérateur de cette installation.',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      text: 'Le mot de passe de votre compte Waymark a été modifié. Vous avez été déconnecté dans tous les autres navigateurs.',
      link: 'Définir un nouveau mot de passe',
      hint: 'Si ce n’était pas vous, utilisez le lien pour définir immédiatement un nouveau mot de passe.',
    },
    factors_changed: {
      subject: 'Vos paramètres de connexion ont été modifiés',
      text: 'Un second facteur de votre compte Waymark a été ajouté, supprimé ou renouvelé : une clé d’accès, une application d’authentification ou des codes de récupération.',
      link: 'Ouvrir votre compte',
      hint: 'Si ce n’était pas vous, changez immédiatement votre mot de passe et vérifiez vos seconds facteurs.',
    },
    new_device: {
      subject: 'Nouvelle connexion à votre compte',
      text: 'Quelqu’un s’est connecté à votre compte Waymark avec un navigateur que vous n’aviez pas encore utilisé.',
      link: 'Ouvrir votre compte',
      hint: 'Si c’était vous, vous n’avez rien à faire. Sinon, changez immédiatement votre mot de passe. Tous les autres navigateurs seront alors déconnectés.',
    },
    endpoint_gone: {
      subject: 'Un point de terminaison webhook de {organisation} a été désactivé',
      text: 'Un destinataire de {organisation} a répondu 410 Gone. Waymark a désactivé le point de terminaison et ne lui envoie plus rien.',
      link: 'Ouvrir les webhooks',
      hint: 'Les événements sont conservés pendant 30 jours. Ils seront envoyés lorsque vous réactiverez le point de terminaison.',
    },
    endpoint_failing: {
      subject: 'Un point de terminaison webhook de {organisation} a été désactivé',
      text: 'Depuis cinq jours, toutes les tentatives pour joindre un destinataire de {organisation} ont échoué. Waymark a désactivé le point de terminaison et ne lui envoie plus rien.',
      link: 'Ouvrir les webhooks',
      hint: 'Les événements sont conservés pendant 30 jours. Ils seront envoyés lorsque vous réactiverez le point de terminaison.',
    },
    credits_low: {
      subject: 'Il reste peu de crédits à {organisation}',
      text: 'Les chatbots de {organisation} ont utilisé la plus grande partie des crédits. Crédits restants : {number}.',
      link: 'Ouvrir Waymark',
      hint: 'Lorsqu’il n’y a plus de crédits, les chatbots cessent de répondre. L’exploitant de cette installation peut ajouter des crédits.',
    },
    credits_empty: {
      subject: '{organisation} n’a plus de crédits',
      text: 'Les chatbots de {organisation} ont utilisé tous les crédits et ne répondent plus aux questions.',
      link: 'Ouvrir Waymark',
      hint: 'L’exploitant de cette installation peut ajouter des crédits. Les chatbots répondront alors de nouveau.',
    },
    domain_failing: {
      subject: 'Les enregistrements de {domain} sont incorrects',
      text: 'Depuis trois jours, les enregistrements DNS de {domain} ne sont pas ceux que Waymark attend. S’ils ne sont pas corrigés dans les quatre jours, {organisation} ne pourra plus utiliser le domaine et les codes imprimés avec lui ne fonctionneront plus.',
      link: 'Ouvrir les domaines',
      hint: 'Vous y verrez quel enregistrement est incorrect. Waymark vérifie le domaine chaque jour.',
    },
    domain_lost: {
      subject: '{domain} n’est plus utilisé',
      text: 'Depuis sept jours, les enregistrements DNS de {domain} sont incorrects. Waymark n’affiche plus rien de {organisation} sous ce domaine.',
      link: 'Ouvrir les domaines',
      hint: 'Dès que les enregistrements seront à nouveau corrects, le domaine sera à nouveau utilisé. Waymark continue de le vérifier pendant un mois.',
    },
    domain_taken_over: {
      subject: '{domain} appartient désormais à une autre organisation',
      text: 'Une autre organisation a prouvé par un enregistrement DNS que {domain} lui appartient. Waymark n’affiche plus rien de {organisation} sous ce domaine.',
      link: 'Ouvrir les domaines',
      hint: 'Si le domaine est à vous, supprimez l’enregistrement DNS inconnu et créez le nouveau que Waymark vous indique.',
    },
    conversation_reply: {
      subject: '{organisation} vous a répondu',
      text: 'Une personne de {organisation} a répondu à votre message dans le chat.',
      link: 'Continuer la conversation',
      hint: 'Le lien fonctionne une fois, pendant 30 jours. Vous recevez ce message parce que vous avez laissé votre adresse dans le chat. Si ce n’était pas vous, vous pouvez l’ignorer.',
    },
    submission: {
      subject: 'Nouvel envoi {number} : {page}',
      text: 'Quelqu’un a envoyé le formulaire de votre page « {page} ». C’est l’envoi numéro {number}.',
      link: 'Ouvrir Waymark',
      hint: 'Vous recevez ce message parce que la page vous prévient. Quand une page reçoit un très grand nombre d’envois en une heure, ils ne sont pas tous signalés par e-mail.',
    },
  },
  facts: {
    invitedBy: 'Invité par',
    newEmail: 'Nouvelle adresse',
    device: 'Navigateur',
    address: 'Adresse IP',
    time: 'Heure',
    endpoint: 'Point de terminaison',
    since: 'En échec depuis',
    answer: 'Réponse',
  },
  footer: 'Envoyé automatiquement par Waymark à l’adresse {url}.',
}
