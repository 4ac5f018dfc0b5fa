import type { MailTexts } from './texts.ts'

export const ko: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Waymark에서 {organisation} 참여하기',
      text: 'Waymark의 {organisation} 조직에 초대되었습니다.',
      link: '초대 열기',
      hint: '링크는 7일 안에 한 번만 사용할 수 있습니다. 모르는 조직이라면 이 메일을 무시하세요.',
    },
    reset_password: {
      subject: 'Waymark 새 비밀번호 설정',
      text: '회원님의 Waymark 계정에 대해 새 비밀번호 요청이 있었습니다.',
      link: '새 비밀번호 설정',
      hint: '링크는 1시간 안에 한 번만 사용할 수 있습니다. 본인이 요청하지 않았다면 이 메일을 무시하세요. 비밀번호는 그대로 유지됩니다.',
    },
    change_email: {
      subject: '새 이메일 주소 확인',
      text: '이 이메일 주소를 Waymark 계정에 사용하겠다는 요청이 있었습니다.',
      link: '주소 확인',
      hint: '링크는 하루 안에 한 번만 사용할 수 있습니다. 본인이 요청하지 않았다면 이 메일을 무시하세요.',
    },
    email_changed: {
      subject: '이메일 주소가 변경되었습니다',
      text: '회원님의 Waymark 계정은 이제 다른 이메일 주소를 사용합니다. 앞으로 이 주소로는 계정 관련 메일을 보내지 않습니다.',
      link: '계정 열기',
      hint: '본인이 변경하지 않았다면 즉시 조직의 소유자나 이 서비스의 운영자에게 연락하세요.',
    },
    password_changed: {
      subject: '비밀번호가 변경되었습니다',
      text: '회원님의 Waymark 계정 비밀번호가 변경되었습니다. 다른 모든 브라우저에서 로그아웃되었습니다.',
      link: '새 비밀번호 설정',
      hint: '본인이 변경하지 않았다면 링크에서 즉시 새 비밀번호를 설정하세요.',
    },
    factors_changed: {
      subject: '로그인 설정이 변경되었습니다',
      text: '회원님의 Waymark 계정에서 2단계 인증 수단(패스키, 인증 앱 또는 복구 코드)이 추가, 삭제 또는 갱신되었습니다.',
      link: '계정 열기',
      hint: '본인이 변경하지 않았다면 즉시 비밀번호를 변경하고 2단계 인증 수단을 확인하세요.',
    },
    new_device: {
      subject: '계정에 새로운 로그인이 있었습니다',
      text: '이전에 사용한 적이 없는 브라우저에서 회원님의 Waymark 계정에 로그인했습니다.',
      link: '계정 열기',
      hint: '본인이라면 아무것도 하지 않아도 됩니다. 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 브라우저에서 로그아웃됩니다.',
    },
    endpoint_gone: {
      subject: '{organisation}의 웹훅 엔드포인트가 비활성화되었습니다',
      text: '{organisation}의 수신 서버가 410 Gone을 반환했습니다. Waymark가 엔드포인트를 비활성화했으며 더 이상 전송하지 않습니다.',
      link: '웹훅 열기',
      hint: '이벤트는 30일 동안 보관됩니다. 엔드포인트를 다시 시작하면 전송됩니다.',
    },
    endpoint_failing: {
      subject: '{organisation}의 웹훅 엔드포인트가 비활성화되었습니다',
      text: '{organisation}의 수신 서버로 보내는 시도가 5일 동안 모두 실패했습니다. Waymark가 엔드포인트를 비활성화했으며 더 이상 전송하지 않습니다.',
      link: '웹훅 열기',
      hint: '이벤트는 30일 동안 보관됩니다. 엔드포인트를 다시 시작하면 전송됩니다.',
    },
    credits_low: {
      subject: '{organisation}의 크레딧이 얼마 남지 않았습니다',
      text: '{organisation}의 챗봇이 크레딧을 대부분 사용했습니다. 남은 크레딧: {number}',
      link: 'Waymark 열기',
      hint: '크레딧이 모두 소진되면 챗봇이 답변을 중단합니다. 이 시스템의 운영자가 크레딧을 추가할 수 있습니다.',
    },
    credits_empty: {
      subject: '{organisation}의 크레딧이 모두 소진되었습니다',
      text: '{organisation}의 챗봇이 크레딧을 모두 사용하여 더 이상 질문에 답변하지 않습니다.',
      link: 'Waymark 열기',
      hint: '이 시스템의 운영자가 크레딧을 추가할 수 있습니다. 추가하면 챗봇이 다시 답변합니다.',
    },
    domain_failing: {
      subject: '{domain}의 레코드가 올바르지 않습니다',
      text: '{domain}의 DNS 레코드가 3일 전부터 올바르지 않습니다. 4일 안에 수정하지 않으면 {organisation}에서 이 도메인을 더 이상 사용할 수 없고, 이 도메인으로 인쇄된 코드도 작동하지 않습니다.',
      link: '도메인 열기',
      hint: '어떤 레코드가 잘못되었는지 확인할 수 있습니다. Waymark는 매일 도메인을 확인합니다.',
    },
    domain_lost: {
      subject: '{domain}을(를) 더 이상 사용하지 않습니다',
      text: '{domain}의 DNS 레코드가 7일 전부터 올바르지 않습니다. Waymark는 이 도메인에서 {organisation}의 내용을 더 이상 표시하지 않습니다.',
      link: '도메인 열기',
      hint: '레코드가 다시 올바르게 되면 도메인을 다시 사용합니다. Waymark는 한 달 동안 계속 확인합니다.',
    },
    domain_taken_over: {
      subject: '{domain}은(는) 이제 다른 조직의 도메인입니다',
      text: '다른 조직이 DNS 레코드로 {domain}의 소유자임을 증명했습니다. Waymark는 이 도메인에서 {organisation}의 내용을 더 이상 표시하지 않습니다.',
      link: '도메인 열기',
      hint: '도메인이 귀하의 것이라면 알 수 없는 DNS 레코드를 삭제하고 Waymark에 표시되는 새 레코드를 만드세요.',
    },
    conversation_reply: {
      subject: '{organisation}에서 답변을 보냈습니다',
      text: '채팅에 남기신 메시지에 {organisation} 담당자가 답변했습니다.',
      link: '대화 계속하기',
      hint: '링크는 30일 안에 한 번만 사용할 수 있습니다. 채팅에서 주소를 남기셨기 때문에 이 메일을 보내 드립니다. 본인이 아니라면 무시하셔도 됩니다.',
    },
    submission: {
      subject: '새 제출 {number}: {page}',
      text: '‘{page}’ 페이지의 양식이 제출되었습니다. 제출 번호는 {number}입니다.',
      link: 'Waymark 열기',
      hint: '이 페이지의 알림 대상이므로 이 메일을 보내 드립니다. 한 시간 동안 제출이 매우 많으면 일부는 메일로 알리지 않습니다.',
    },
  },
  facts: {
    invitedBy: '초대한 사람',
    newEmail: '새 주소',
    device: '브라우저',
    address: 'IP 주소',
    time: '시간',
    endpoint: '엔드포인트',
    since: '실패 시작',
    answer: '답변',
  },
  footer: 'Waymark({url})에서 자동으로 보낸 메일입니다.',
}
