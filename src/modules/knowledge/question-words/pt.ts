import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('pequeno pequena pequenos pequenas mini compacto compacta menor')
const LARGE = list('grande grandes maior')

export const pt: QuestionWords = {
  fillers: new Set(
    list(`
      acontece aparece existe indica mostra significa vem
      agora ainda ajuda ajudar algo alguem alguma algum assim bem boa bom cada coisa consigo corretamente deve deveria
      devo dia diz dizer entao esta estao estar favor faco faz fazer foi forma funciona gostaria ja mal maneira melhor
      mesmo muito nada nao nunca obrigada obrigado ola outra outro pode podem poderia porque posso possivel precisa
      preciso qual quais quando quanta quantas quanto quantos quero queria saber seja sempre ser sera so tambem tao tem
      tenho ter tempo toda todo todos usar vai ver vez vezes voce
    `),
  ),
  howTo: /(?:^|[^\p{L}])como(?![\p{L}])|passos|passo a passo|instruções/iu,
  followUp:
    /^\s*(?:e|ou|mas|também|então|e se|e para|e quanto a|quanto tempo (?:demora|leva|dura))(?![\p{L}])|(?:o|a|do|da) (?:grande|pequeno|pequena|maior|menor|outro|outra)(?=\s*\??$)/iu,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      limpar lavar enxaguar limpeza
      reparar consertar arranjar reparacao conserto reparo
      avariado quebrado defeituoso danificado estragado
      comprar encomendar
      preco custo custa
      trocar substituir mudar
      apagar eliminar remover excluir
      pinga vaza fuga vazamento
      ruido barulho barulhento
      erro falha avaria defeito
      manual instrucoes
      wifi wlan
      telefone telemovel celular smartphone
      instalar instalacao
      ecra tela visor
      conectar ligar emparelhar parear
      carregar recarregar carga
      bateria pilha
      fria frio morna
      peso pesa
      ficheiro arquivo
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('dianteira dianteiro'), list('traseira traseiro')],
    [list('esquerda esquerdo'), list('direita direito')],
    [list('velho velha antigo antiga'), list('novo nova')],
  ],
}
