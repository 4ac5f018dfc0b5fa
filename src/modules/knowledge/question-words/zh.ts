import { groups, list, type QuestionWords } from './words.ts'

const SMALL = list('小 小型 迷你')
const LARGE = list('大 大型')

export const zh: QuestionWords = {
  fillers: new Set(),
  fillerPhrases:
    /怎么(?:样|办|做)?|怎樣|如何|什么|什麼|为什么|為什麼|哪里|哪裡|哪个|哪個|多少|多久|多长|几次|可以|可不可以|能不能|能够|是否|请问|請問|请|請|谢谢|謝謝|我们|我|你们|你|您|它|这个|那个|這個|的|了|吗|嗎|呢|吧|是|在|有没有|有|要|应该|應該|需要|想|该|和|与|或|就|都|也|很/gu,
  howTo: /怎么|怎樣|如何|步骤|方法/u,
  followUp: /^\s*(?:那|还有|另外|如果是)|呢[?？]?\s*$/u,
  synonyms: [
    SMALL,
    LARGE,
    ...groups(`
      清洁 清洗 清理 洗
      修理 维修
      故障 坏 损坏
      购买 订购 买
      价格 费用
      更换 替换 换
      删除 移除
      漏水 漏 滴
      噪音 声音
      说明 手册
      连接 配对
      充电 电池
      屏幕 显示
    `),
  ],
  opposites: [
    [SMALL, LARGE],
    [list('前 前轮'), list('后 后轮')],
    [list('左'), list('右')],
  ],
}
