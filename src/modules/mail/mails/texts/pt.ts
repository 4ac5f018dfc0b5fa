import type { MailTexts } from './texts.ts'

export const pt: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Convite para {organisation} no Waymark',
      text: 'Recebeu um convite para participar em {organisation} no Waymark.',
      link: 'Abrir o convite',
      hint: 'O link funciona uma vez, durante sete dias. Se não conhece esta organização, pode ignorar esta mensagem.',
    },
    reset_password: {
      subject: 'Definir uma nova senha do Waymark',
      text: 'Alguém pediu uma nova senha para a sua conta do Waymark.',
      link: 'Definir uma nova senha',
      hint: 'O link funciona uma vez, durante uma hora. Se não fez este pedido, pode ignorar esta mensagem. A sua senha continua a mesma.',
    },
    change_email: {
      subject: 'Confirme o seu novo endereço de e-mail',
      text: 'Alguém pediu para usar este endereço de e-mail em uma conta do Waymark.',
      link: 'Confirmar o endereço',
      hint: 'O link funciona uma vez, durante um dia. Se não fez este pedido, pode ignorar esta mensagem.',
    },
    email_changed: {
      subject: 'O seu endereço de e-mail foi alterado',
      text: 'A sua conta do Waymark usa agora outro endereço de e-mail. Já não enviamos mensagens sobre a conta para este endereço.',
      link: 'Abrir a sua conta',
      hint: 'Se não fez esta alteração, contate imediatamente um proprietário da sua organização ou o operador desta instalação.',
    },
    password_changed: {
      subject: 'A sua senha foi alterada',
      text: 'A senha da sua conta do Waymark foi alterada. A sua sessão foi encerrada em todos os outros navegadores.',
      link: 'Definir uma nova senha',
      hint: 'Se não fez esta alteração, use o link para definir imediatamente uma nova senha.',
    },
    factors_changed: {
      subject: 'As suas configurações de acesso foram alteradas',
      text: 'Um segundo fator da sua conta do Waymark foi adicionado, removido ou renovado: uma chave de acesso, um aplicativo autenticador ou códigos de recuperação.',
      link: 'Abrir a sua conta',
      hint: 'Se não fez esta alteração, altere imediatamente a sua senha e verifique os seus segundos fatores.',
    },
    new_device: {
      subject: 'Novo acesso à sua conta',
      text: 'Alguém iniciou sessão na sua conta do Waymark com um navegador ainda não usado.',
      link: 'Abrir a sua conta',
      hint: 'Se reconhece este acesso, não precisa de fazer nada. Caso contrário, altere imediatamente a sua senha. Isso encerra a sessão em todos os outros navegadores.',
    },
    endpoint_gone: {
      subject: 'Um endpoint de webhook de {organisation} foi desativado',
      text: 'Um destinatário de {organisation} respondeu 410 Gone. O Waymark desativou o endpoint e não lhe envia mais nada.',
      link: 'Abrir webhooks',
      hint: 'Os eventos são guardados durante 30 dias. Quando retomar o endpoint, serão enviados.',
    },
    endpoint_failing: {
      subject: 'Um endpoint de webhook de {organisation} foi desativado',
      text: 'Há cinco dias que todas as tentativas de chegar a um destinatário de {organisation} falham. O Waymark desativou o endpoint e não lhe envia mais nada.',
      link: 'Abrir webhooks',
      hint: 'Os eventos são guardados durante 30 dias. Quando retomar o endpoint, serão enviados.',
    },
    credits_low: {
      subject: 'Os créditos de {organisation} estão quase no fim',
      text: 'Os chatbots de {organisation} usaram a maior parte dos créditos. Créditos restantes: {number}.',
      link: 'Abrir o Waymark',
      hint: 'Quando não houver mais créditos, os chatbots deixam de responder. O operador desta instalação pode adicionar créditos.',
    },
    credits_empty: {
      subject: '{organisation} não tem mais créditos',
      text: 'Os chatbots de {organisation} usaram todos os créditos e já não respondem a perguntas.',
      link: 'Abrir o Waymark',
      hint: 'O operador desta instalação pode adicionar créditos. Depois disso, os chatbots voltam a responder.',
    },
    domain_failing: {
      subject: 'Os registros de {domain} estão incorretos',
      text: 'Há três dias que os registros DNS de {domain} não são os que o Waymark espera. Se isto não for corrigido em quatro dias, {organisation} deixa de poder usar o domínio, e os códigos impressos com ele deixam de funcionar.',
      link: 'Abrir domínios',
      hint: 'Aí pode ver qual registro está incorreto. O Waymark verifica o domínio todos os dias.',
    },
    domain_lost: {
      subject: '{domain} já não é usado',
      text: 'Há sete dias que os registros DNS de {domain} estão incorretos. O Waymark já não mostra nada de {organisation} neste domínio.',
      link: 'Abrir domínios',
      hint: 'Quando os registros estiverem corretos, o domínio volta a ser usado. O Waymark continua a verificá-lo durante um mês.',
    },
    domain_taken_over: {
      subject: '{domain} pertence agora a outra organização',
      text: 'Outra organização provou com um registro DNS que {domain} lhe pertence. O Waymark já não mostra nada de {organisation} neste domínio.',
      link: 'Abrir domínios',
      hint: 'Se o domínio é seu, remova o registro DNS desconhecido e crie o novo que o Waymark mostra.',
    },
    conversation_reply: {
      subject: '{organisation} respondeu à sua mensagem',
      text: 'Uma pessoa de {organisation} respondeu à sua mensagem no chat.',
      link: 'Continuar a conversa',
      hint: 'O link funciona uma vez, durante 30 dias. Recebe esta mensagem porque deixou o seu endereço no chat. Se não foi o caso, pode ignorá-la.',
    },
    submission: {
      subject: 'Novo envio {number}: {page}',
      text: 'Alguém enviou o formulário da sua página “{page}”. Este é o envio número {number}.',
      link: 'Abrir o Waymark',
      hint: 'Recebe esta mensagem porque a página envia notificações para este endereço. Quando uma página recebe muitos envios em uma hora, nem todos são enviados por e-mail.',
    },
  },
  facts: {
    invitedBy: 'Convite de',
    newEmail: 'Novo endereço',
    device: 'Navegador',
    address: 'Endereço IP',
    time: 'Hora',
    endpoint: 'Endpoint',
    since: 'Falha desde',
    answer: 'Resposta',
  },
  footer: 'Enviado automaticamente pelo Waymark em {url}.',
}
