import type { MailTexts } from './texts.ts'

export const zh: MailTexts = {
  kinds: {
    invitation: {
      subject: '在 Waymark 上加入 {organisation}',
      text: '您已被邀请加入 Waymark 上的 {organisation}。',
      link: '打开邀请',
      hint: '此链接七天内有效，只能使用一次。如果您不认识该组织，可以忽略此邮件。',
    },
    reset_password: {
      subject: '设置新的 Waymark 密码',
      text: '有人为您的 Waymark 账号请求了新密码。',
      link: '设置新密码',
      hint: '此链接一小时内有效，只能使用一次。如果不是您本人操作，可以忽略此邮件，您的密码不会改变。',
    },
    change_email: {
      subject: '确认您的新邮箱地址',
      text: '有人请求将此邮箱地址用于 Waymark 账号。',
      link: '确认地址',
      hint: '此链接一天内有效，只能使用一次。如果不是您本人操作，可以忽略此邮件。',
    },
    email_changed: {
      subject: '您的邮箱地址已更改',
      text: '您的 Waymark 账号现在使用另一个邮箱地址。我们不会再向此地址发送有关该账号的邮件。',
      link: '打开您的账号',
      hint: '如果不是您本人操作，请立即联系您组织的所有者或此服务的运营者。',
    },
    password_changed: {
      subject: '您的密码已更改',
      text: '您的 Waymark 账号的密码已更改，所有其他浏览器均已退出登录。',
      link: '设置新密码',
      hint: '如果不是您本人操作，请立即通过此链接设置新密码。',
    },
    factors_changed: {
      subject: '您的登录设置已更改',
      text: '您的 Waymark 账号添加、删除或更新了第二重验证方式：通行密钥、身份验证器应用或恢复代码。',
      link: '打开您的账号',
      hint: '如果不是您本人操作，请立即更改密码并检查您的第二重验证方式。',
    },
    new_device: {
      subject: '您的账号有新的登录',
      text: '有人使用您以前未用过的浏览器登录了您的 Waymark 账号。',
      link: '打开您的账号',
      hint: '如果是您本人操作，则无需处理。否则请立即更改密码，所有其他浏览器将随之退出登录。',
    },
    endpoint_gone: {
      subject: '{organisation} 的一个 Webhook 端点已停用',
      text: '{organisation} 的接收方返回了 410 Gone。Waymark 已停用该端点，不再向其发送任何内容。',
      link: '打开 Webhook',
      hint: '事件会保留 30 天。恢复端点后将会发送。',
    },
    endpoint_failing: {
      subject: '{organisation} 的一个 Webhook 端点已停用',
      text: '五天以来，向 {organisation} 的接收方发送的所有尝试均告失败。Waymark 已停用该端点，不再向其发送任何内容。',
      link: '打开 Webhook',
      hint: '事件会保留 30 天。恢复端点后将会发送。',
    },
    credits_low: {
      subject: '{organisation} 的积分即将用完',
      text: '{organisation} 的聊天机器人已用掉大部分积分。剩余积分：{number}。',
      link: '打开 Waymark',
      hint: '积分用完后，聊天机器人将停止回答。本系统的运营者可以添加积分。',
    },
    credits_empty: {
      subject: '{organisation} 的积分已用完',
      text: '{organisation} 的聊天机器人已用完全部积分，不再回答问题。',
      link: '打开 Waymark',
      hint: '本系统的运营者可以添加积分。添加后，聊天机器人会恢复回答。',
    },
    domain_failing: {
      subject: '{domain} 的记录不正确',
      text: '{domain} 的 DNS 记录已有三天不符合 Waymark 的要求。如果四天内没有更正，{organisation} 将不能再使用该域名，使用该域名印刷的代码也会失效。',
      link: '打开域名',
      hint: '您可以在那里看到哪条记录不正确。Waymark 每天检查该域名。',
    },
    domain_lost: {
      subject: '{domain} 已停止使用',
      text: '{domain} 的 DNS 记录已有七天不正确。Waymark 不再在该域名下显示 {organisation} 的任何内容。',
      link: '打开域名',
      hint: '记录恢复正确后，该域名会重新启用。Waymark 会继续检查一个月。',
    },
    domain_taken_over: {
      subject: '{domain} 现在属于另一个组织',
      text: '另一个组织已通过 DNS 记录证明 {domain} 归其所有。Waymark 不再在该域名下显示 {organisation} 的任何内容。',
      link: '打开域名',
      hint: '如果该域名属于您，请删除未知的 DNS 记录，并创建 Waymark 显示的新记录。',
    },
    conversation_reply: {
      subject: '{organisation} 回复了您',
      text: '{organisation} 的工作人员回复了您在聊天中的消息。',
      link: '继续对话',
      hint: '该链接在 30 天内可使用一次。您收到此邮件，是因为您在聊天中留下了地址。如果不是您本人所为，请忽略此邮件。',
    },
    submission: {
      subject: '新提交 {number}：{page}',
      text: '有人提交了页面“{page}”上的表单。这是第 {number} 份提交。',
      link: '打开 Waymark',
      hint: '您收到此邮件，是因为该页面设置了通知您。如果页面在一小时内收到大量提交，并非每份都会发送邮件。',
    },
  },
  facts: {
    invitedBy: '邀请人',
    newEmail: '新地址',
    device: '浏览器',
    address: 'IP 地址',
    time: '时间',
    endpoint: '端点',
    since: '开始失败的时间',
    answer: '回复',
  },
  footer: '此邮件由 Waymark（{url}）自动发送。',
}
