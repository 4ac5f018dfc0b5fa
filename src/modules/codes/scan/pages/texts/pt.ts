import type { NoticeTexts } from './texts.ts'

export const pt: NoticeTexts = {
  paused: {
    title: 'Este código está em pausa',
    text: 'O proprietário desativou-o por enquanto. Tente novamente mais tarde.',
  },
  not_set_up: {
    title: 'Este código ainda não está configurado',
    text: 'Ainda não há nada associado a este código. Volte em breve.',
    owner: 'Este código é seu? Adicione um destino e ele fica pronto a usar.',
  },
  unknown: {
    title: 'Não encontramos este código',
    text: 'Verifique o endereço ou leia o código novamente. A impressão pode estar danificada.',
  },
  not_found: {
    title: 'Página não encontrada',
    text: 'Não há nenhuma página neste endereço. Verifique se há erros de digitação.',
  },
  gone: {
    title: 'Este código já não é usado',
    text: 'Foi eliminado definitivamente. Se precisar de ajuda, entre em contato com o proprietário.',
  },
  malformed: {
    title: 'Este link não é válido',
    text: 'O endereço não segue as regras da GS1. Leia o código novamente. A impressão pode estar danificada.',
  },
  compressed: {
    title: 'Os links comprimidos não são suportados',
    text: 'Este é um GS1 Digital Link na forma comprimida. Use a forma em que se pode ler o número do produto.',
  },
  no_link: {
    title: 'Esta informação não está disponível',
    text: 'O proprietário não adicionou um link do tipo pedido. Leia o código para ver o que está disponível.',
  },
  unavailable: {
    title: 'Um momento, por favor',
    text: 'Não é possível consultar este código agora. Esta página será recarregada automaticamente em alguns segundos.',
    retry: 'Tentar novamente',
  },
}
