import type { NoticeTexts } from './texts.ts'

export const ko: NoticeTexts = {
  paused: {
    title: '일시 중지된 코드입니다',
    text: '소유자가 이 코드를 잠시 비활성화했습니다. 나중에 다시 시도해 주세요.',
  },
  not_set_up: {
    title: '아직 설정되지 않은 코드입니다',
    text: '아직 연결된 내용이 없습니다. 나중에 다시 확인해 주세요.',
    owner: '이 코드의 소유자라면 연결할 대상을 설정해 주세요. 바로 사용할 수 있습니다.',
  },
  unknown: {
    title: '코드를 찾을 수 없습니다',
    text: '주소를 확인하거나 코드를 다시 스캔해 주세요. 인쇄된 코드가 손상되었을 수 있습니다.',
  },
  gone: {
    title: '더 이상 사용되지 않는 코드입니다',
    text: '이 코드는 완전히 삭제되었습니다. 도움이 필요하면 소유자에게 문의해 주세요.',
  },
  unavailable: {
    title: '잠시만 기다려 주세요',
    text: '지금은 이 코드를 확인할 수 없습니다. 몇 초 후 페이지가 자동으로 새로고침됩니다.',
    retry: '다시 시도',
  },
}
