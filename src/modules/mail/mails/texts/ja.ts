import type { MailTexts } from './texts.ts'

export const ja: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Waymarkで{organisation}に参加',
      text: 'Waymarkの{organisation}に招待されました。',
      link: '招待を開く',
      hint: 'このリンクは7日以内に1回だけ使えます。この組織に心当たりがない場合は、このメールを無視してください。',
    },
    reset_password: {
      subject: 'Waymarkの新しいパスワードを設定',
      text: 'あなたのWaymarkアカウントの新しいパスワードがリクエストされました。',
      link: '新しいパスワードを設定',
      hint: 'このリンクは1時間以内に1回だけ使えます。心当たりがない場合は、このメールを無視してください。パスワードは変わりません。',
    },
    change_email: {
      subject: '新しいメールアドレスの確認',
      text: 'このメールアドレスをWaymarkアカウントで使うようリクエストされました。',
      link: 'アドレスを確認',
      hint: 'このリンクは1日以内に1回だけ使えます。心当たりがない場合は、このメールを無視してください。',
    },
    email_changed: {
      subject: 'メールアドレスが変更されました',
      text: 'あなたのWaymarkアカウントのメールアドレスが変更されました。今後、このアドレスにはアカウントに関するメールは届きません。',
      link: 'アカウントを開く',
      hint: '心当たりがない場合は、すぐに組織のオーナーまたはこのサービスの運用者に連絡してください。',
    },
    password_changed: {
      subject: 'パスワードが変更されました',
      text: 'あなたのWaymarkアカウントのパスワードが変更されました。ほかのすべてのブラウザからサインアウトしました。',
      link: '新しいパスワードを設定',
      hint: '心当たりがない場合は、リンクからすぐに新しいパスワードを設定してください。',
    },
    factors_changed: {
      subject: 'サインイン設定が変更されました',
      text: 'あなたのWaymarkアカウントの2つ目の認証要素(パスキー、認証アプリ、またはリカバリーコード)が追加、削除または更新されました。',
      link: 'アカウントを開く',
      hint: '心当たりがない場合は、すぐにパスワードを変更し、認証要素を確認してください。',
    },
    new_device: {
      subject: 'アカウントへの新しいサインイン',
      text: 'これまで使われたことのないブラウザから、あなたのWaymarkアカウントにサインインがありました。',
      link: 'アカウントを開く',
      hint: 'ご自身の操作であれば、何もする必要はありません。そうでない場合は、すぐにパスワードを変更してください。ほかのすべてのブラウザからサインアウトします。',
    },
    endpoint_gone: {
      subject: '{organisation}のWebhookエンドポイントが無効になりました',
      text: '{organisation}の受信先が410 Goneを返しました。Waymarkはこのエンドポイントを無効にし、送信を停止しました。',
      link: 'Webhookを開く',
      hint: 'イベントは30日間保存されます。エンドポイントを再開すると送信されます。',
    },
    endpoint_failing: {
      subject: '{organisation}のWebhookエンドポイントが無効になりました',
      text: '{organisation}の受信先への送信が5日間すべて失敗しました。Waymarkはこのエンドポイントを無効にし、送信を停止しました。',
      link: 'Webhookを開く',
      hint: 'イベントは30日間保存されます。エンドポイントを再開すると送信されます。',
    },
    credits_low: {
      subject: '{organisation}のクレジットが残りわずかです',
      text: '{organisation}のチャットボットがクレジットの大部分を使用しました。残りのクレジット：{number}',
      link: 'Waymark を開く',
      hint: 'クレジットがなくなると、チャットボットは回答しなくなります。クレジットはこのシステムの運営者が追加できます。',
    },
    credits_empty: {
      subject: '{organisation}のクレジットがなくなりました',
      text: '{organisation}のチャットボットがすべてのクレジットを使用したため、質問に回答できなくなりました。',
      link: 'Waymark を開く',
      hint: 'クレジットはこのシステムの運営者が追加できます。追加されると、チャットボットは再び回答します。',
    },
    domain_failing: {
      subject: '{domain}のレコードが正しくありません',
      text: '{domain}のDNSレコードが3日前から正しくありません。4日以内に修正されない場合、{organisation}はこのドメインを使用できなくなり、このドメインで印刷されたコードも機能しなくなります。',
      link: 'ドメインを開く',
      hint: 'どのレコードが正しくないかを確認できます。Waymark はこのドメインを毎日確認します。',
    },
    domain_lost: {
      subject: '{domain}は使用されなくなりました',
      text: '{domain}のDNSレコードが7日前から正しくありません。Waymark はこのドメインで{organisation}の内容を表示しなくなりました。',
      link: 'ドメインを開く',
      hint: 'レコードが正しくなると、ドメインは再び使用されます。Waymark は1か月間確認を続けます。',
    },
    domain_taken_over: {
      subject: '{domain}は別の組織のものになりました',
      text: '別の組織が、{domain}を所有していることをDNSレコードで証明しました。Waymark はこのドメインで{organisation}の内容を表示しなくなりました。',
      link: 'ドメインを開く',
      hint: 'このドメインがあなたのものである場合は、見覚えのないDNSレコードを削除し、Waymark に表示される新しいレコードを作成してください。',
    },
    conversation_reply: {
      subject: '{organisation} から返信がありました',
      text: 'チャットでのメッセージに、{organisation} の担当者が返信しました。',
      link: '会話を続ける',
      hint: 'リンクは 30 日以内に 1 回だけ使えます。チャットでメールアドレスを入力されたため、このメールをお送りしています。心当たりがない場合は、無視してください。',
    },
    submission: {
      subject: '新しい送信 {number}：{page}',
      text: 'ページ「{page}」のフォームが送信されました。送信番号は {number} です。',
      link: 'Waymark を開く',
      hint: 'このページの通知先に設定されているため、このメールをお送りしています。1 時間に非常に多くの送信があった場合、すべてがメールで通知されるとは限りません。',
    },
  },
  facts: {
    invitedBy: '招待した人',
    newEmail: '新しいアドレス',
    device: 'ブラウザ',
    address: 'IPアドレス',
    time: '日時',
    endpoint: 'エンドポイント',
    since: '失敗の開始',
    answer: '返信',
  },
  footer: 'このメールはWaymark ({url})から自動送信されました。',
}
