import type { MailTexts } from './texts.ts'

export const es: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Únase a {organisation} en Waymark',
      text: 'Ha recibido una invitación para unirse a {organisation} en Waymark.',
      link: 'Abrir la invitación',
      hint: 'El enlace funciona una sola vez, durante siete días. Si no conoce esta organización, puede ignorar este mensaje.',
    },
    reset_password: {
      subject: 'Establezca una contraseña nueva para Waymark',
      text: 'Alguien ha solicitado una contraseña nueva para su cuenta de Waymark.',
      link: 'Establecer una contraseña nueva',
      hint: 'El enlace funciona una sola vez, durante una hora. Si no ha sido usted, puede ignorar este mensaje. Su contraseña no cambia.',
    },
    change_email: {
      subject: 'Confirme su nueva dirección de correo',
      text: 'Alguien ha solicitado usar esta dirección de correo para una cuenta de Waymark.',
      link: 'Confirmar la dirección',
      hint: 'El enlace funciona una sola vez, durante un día. Si no ha sido usted, puede ignorar este mensaje.',
    },
    email_changed: {
      subject: 'Su dirección de correo ha cambiado',
      text: 'Su cuenta de Waymark usa ahora otra dirección de correo. Ya no enviaremos mensajes sobre ella a esta dirección.',
      link: 'Abrir su cuenta',
      hint: 'Si no ha sido usted, contacte de inmediato con un propietario de su organización o con el operador de esta instalación.',
    },
    password_changed: {
      subject: 'Su contraseña ha cambiado',
      text: 'Se ha cambiado la contraseña de su cuenta de Waymark. Se ha cerrado la sesión en todos los demás navegadores.',
      link: 'Establecer una contraseña nueva',
      hint: 'Si no ha sido usted, use el enlace para establecer de inmediato una contraseña nueva.',
    },
    factors_changed: {
      subject: 'Su configuración de inicio de sesión ha cambiado',
      text: 'Se ha añadido, eliminado o renovado un segundo factor de su cuenta de Waymark: una llave de acceso, una aplicación de autenticación o códigos de recuperación.',
      link: 'Abrir su cuenta',
      hint: 'Si no ha sido usted, cambie de inmediato su contraseña y revise sus segundos factores.',
    },
    new_device: {
      subject: 'Nuevo inicio de sesión en su cuenta',
      text: 'Alguien ha iniciado sesión en su cuenta de Waymark con un navegador que usted no había usado antes.',
      link: 'Abrir su cuenta',
      hint: 'Si ha sido usted, no tiene que hacer nada. Si no, cambie de inmediato su contraseña. Así se cierra la sesión en todos los demás navegadores.',
    },
    endpoint_gone: {
      subject: 'Se ha desactivado un endpoint de webhook de {organisation}',
      text: 'Un receptor de {organisation} ha respondido 410 Gone. Waymark ha desactivado el endpoint y ya no le envía nada.',
      link: 'Abrir los webhooks',
      hint: 'Los eventos se conservan 30 días. Se enviarán cuando reanude el endpoint.',
    },
    endpoint_failing: {
      subject: 'Se ha desactivado un endpoint de webhook de {organisation}',
      text: 'Desde hace cinco días han fallado todos los intentos de contactar con un receptor de {organisation}. Waymark ha desactivado el endpoint y ya no le envía nada.',
      link: 'Abrir los webhooks',
      hint: 'Los eventos se conservan 30 días. Se enviarán cuando reanude el endpoint.',
    },
    credits_low: {
      subject: 'A {organisation} le quedan pocos créditos',
      text: 'Los chatbots de {organisation} han gastado la mayor parte de los créditos. Créditos restantes: {number}.',
      link: 'Abrir Waymark',
      hint: 'Cuando no queden créditos, los chatbots dejarán de responder. El operador de esta instalación puede añadir créditos.',
    },
    credits_empty: {
      subject: 'A {organisation} no le quedan créditos',
      text: 'Los chatbots de {organisation} han gastado todos los créditos y ya no responden preguntas.',
      link: 'Abrir Waymark',
      hint: 'El operador de esta instalación puede añadir créditos. Los chatbots volverán entonces a responder.',
    },
    domain_failing: {
      subject: 'Los registros de {domain} son incorrectos',
      text: 'Desde hace tres días, los registros DNS de {domain} no son los que Waymark espera. Si no se corrigen en cuatro días, {organisation} ya no podrá usar el dominio y los códigos impresos con él dejarán de funcionar.',
      link: 'Abrir los dominios',
      hint: 'Allí verá qué registro es incorrecto. Waymark comprueba el dominio todos los días.',
    },
    domain_lost: {
      subject: '{domain} ya no se usa',
      text: 'Desde hace siete días, los registros DNS de {domain} son incorrectos. Waymark ya no muestra nada de {organisation} en este dominio.',
      link: 'Abrir los dominios',
      hint: 'Cuando los registros vuelvan a ser correctos, el dominio se usará de nuevo. Waymark lo seguirá comprobando durante un mes.',
    },
    domain_taken_over: {
      subject: '{domain} pertenece ahora a otra organización',
      text: 'Otra organización ha demostrado con un registro DNS que {domain} le pertenece. Waymark ya no muestra nada de {organisation} en este dominio.',
      link: 'Abrir los dominios',
      hint: 'Si el dominio es suyo, elimine el registro DNS desconocido y cree el nuevo que Waymark le muestra.',
    },
    conversation_reply: {
      subject: '{organisation} le ha respondido',
      text: 'Una persona de {organisation} ha respondido a su mensaje en el chat.',
      link: 'Continuar la conversación',
      hint: 'El enlace funciona una vez, durante 30 días. Recibe este mensaje porque dejó su dirección en el chat. Si no fue usted, puede ignorarlo.',
    },
    submission: {
      subject: 'Nuevo envío {number}: {page}',
      text: 'Alguien ha enviado el formulario de su página «{page}». Es el envío número {number}.',
      link: 'Abrir Waymark',
      hint: 'Recibe este mensaje porque la página le avisa. Si una página recibe muchísimos envíos en una hora, no se comunican todos por correo.',
    },
  },
  facts: {
    invitedBy: 'Invitación de',
    newEmail: 'Dirección nueva',
    device: 'Navegador',
    address: 'Dirección IP',
    time: 'Hora',
    endpoint: 'Endpoint',
    since: 'Falla desde',
    answer: 'Respuesta',
  },
  footer: 'Enviado automáticamente por Waymark en {url}.',
}
