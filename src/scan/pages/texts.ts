import type { Language } from '../../modules/knowledge/languages/index.ts'

interface Text {
  title: string
  text: string
}

/** What a person reads who scanned a code that does not lead anywhere. */
interface NoticeTexts {
  paused: Text
  /** Whoever stands there may be the owner, who has just put the code up. */
  not_set_up: Text & { owner: string }
  unknown: Text
  gone: Text
  unavailable: Text & { retry: string }
}

export type NoticeKind = keyof NoticeTexts

export const TEXTS: Record<Language, NoticeTexts> = {
  en: {
    paused: {
      title: 'This code is paused',
      text: 'Its owner has switched it off for now. Please try again another time.',
    },
    not_set_up: {
      title: 'This code is not set up yet',
      text: 'It works, but it does not lead anywhere so far. Please come back soon.',
      owner: 'Is this your code? Give it a destination and it is ready to use.',
    },
    unknown: {
      title: 'We could not find this code',
      text: 'Please check the address or scan the code again. The print may be damaged.',
    },
    gone: {
      title: 'This code is no longer in use',
      text: 'It has been removed for good and does not lead anywhere any more.',
    },
    unavailable: {
      title: 'One moment, please',
      text: 'We cannot look up this code right now. This page will try again by itself in a few seconds.',
      retry: 'Try again',
    },
  },
  ja: {
    paused: {
      title: 'このコードは一時停止中です',
      text: '持ち主が一時的に利用を止めています。時間をおいて、もう一度お試しください。',
    },
    not_set_up: {
      title: 'ただいま準備中です',
      text: 'このコードは有効ですが、行き先がまだ決まっていません。しばらくしてから、またお越しください。',
      owner: 'このコードの持ち主の方は、行き先を設定すると使えるようになります。',
    },
    unknown: {
      title: 'コードが見つかりませんでした',
      text: 'アドレスを確認するか、もう一度読み取ってください。印刷が傷んでいる可能性もあります。',
    },
    gone: {
      title: 'このコードはもうありません',
      text: '完全に削除されたため、どこにもつながりません。',
    },
    unavailable: {
      title: '少々お待ちください',
      text: 'ただいま、このコードを確認できません。数秒後に、このページが自動でもう一度確認します。',
      retry: 'もう一度試す',
    },
  },
  de: {
    paused: {
      title: 'Dieser Code macht gerade Pause',
      text: 'Wer diesen Code betreut, hat ihn vorübergehend ausgeschaltet. Bitte versuchen Sie es ein andermal wieder.',
    },
    not_set_up: {
      title: 'Hier ist noch nichts',
      text: 'Der Code funktioniert, führt aber noch nirgendwohin. Bitte schauen Sie bald wieder vorbei.',
      owner: 'Gehört der Code Ihnen? Geben Sie ihm ein Ziel, dann ist er bereit.',
    },
    unknown: {
      title: 'Wir haben diesen Code nicht gefunden',
      text: 'Bitte prüfen Sie die Adresse oder scannen Sie den Code noch einmal. Vielleicht ist der Druck beschädigt.',
    },
    gone: {
      title: 'Diesen Code gibt es nicht mehr',
      text: 'Er wurde endgültig gelöscht und führt nirgendwo mehr hin.',
    },
    unavailable: {
      title: 'Einen Moment, bitte',
      text: 'Wir können diesen Code gerade nicht nachschlagen. Die Seite versucht es in wenigen Sekunden von selbst noch einmal.',
      retry: 'Noch einmal versuchen',
    },
  },
  fr: {
    paused: {
      title: 'Ce code est en pause',
      text: 'Son propriétaire l’a désactivé pour le moment. Merci de réessayer une autre fois.',
    },
    not_set_up: {
      title: 'Rien ici pour l’instant',
      text: 'Ce code fonctionne, mais il ne mène encore nulle part. Revenez bientôt.',
      owner: 'Ce code est à vous\u00a0? Choisissez où il doit mener et il sera prêt.',
    },
    unknown: {
      title: 'Nous n’avons pas trouvé ce code',
      text: 'Vérifiez l’adresse ou scannez le code à nouveau. Il se peut que l’impression soit abîmée.',
    },
    gone: {
      title: 'Ce code n’existe plus',
      text: 'Il a été supprimé définitivement et ne mène plus nulle part.',
    },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Nous ne pouvons pas vérifier ce code pour le moment. La page va réessayer toute seule dans quelques secondes.',
      retry: 'Réessayer',
    },
  },
  ko: {
    paused: {
      title: '일시 중지된 코드입니다',
      text: '소유자가 이 코드를 잠시 꺼 두었습니다. 나중에 다시 시도해 주세요.',
    },
    not_set_up: {
      title: '아직 준비 중입니다',
      text: '코드는 정상이지만 아직 연결된 곳이 없습니다. 조금 뒤에 다시 찾아 주세요.',
      owner: '이 코드의 소유자이신가요? 연결할 곳을 정하면 바로 사용할 수 있습니다.',
    },
    unknown: {
      title: '코드를 찾지 못했습니다',
      text: '주소를 확인하거나 코드를 다시 스캔해 주세요. 인쇄된 코드가 손상되었을 수도 있습니다.',
    },
    gone: {
      title: '더 이상 없는 코드입니다',
      text: '완전히 삭제되어 이제 어디로도 연결되지 않습니다.',
    },
    unavailable: {
      title: '잠시만 기다려 주세요',
      text: '지금은 이 코드를 확인할 수 없습니다. 몇 초 뒤에 이 페이지가 자동으로 다시 시도합니다.',
      retry: '다시 시도',
    },
  },
  zh: {
    paused: {
      title: '这个二维码暂时停用',
      text: '所有者暂时关闭了它，请过些时候再试。',
    },
    not_set_up: {
      title: '这里还没有内容',
      text: '这个二维码是有效的，只是还没有指向任何地方。请过些时候再来。',
      owner: '这是您的二维码吗？为它设置一个目的地，就可以使用了。',
    },
    unknown: {
      title: '没有找到这个二维码',
      text: '请检查网址，或重新扫描一次。印刷的图案也可能已经破损。',
    },
    gone: {
      title: '这个二维码已不存在',
      text: '它已被永久删除，不再指向任何地方。',
    },
    unavailable: {
      title: '请稍候',
      text: '我们暂时无法查询这个二维码。几秒后，页面会自动重试。',
      retry: '重试',
    },
  },
  nl: {
    paused: {
      title: 'Deze code is gepauzeerd',
      text: 'De eigenaar heeft de code voorlopig uitgezet. Probeer het een andere keer opnieuw.',
    },
    not_set_up: {
      title: 'Hier is nog niets',
      text: 'De code werkt, maar leidt nog nergens naartoe. Kom binnenkort nog eens terug.',
      owner: 'Is deze code van u? Geef hem een bestemming en hij is klaar voor gebruik.',
    },
    unknown: {
      title: 'We hebben deze code niet gevonden',
      text: 'Controleer het adres of scan de code opnieuw. Misschien is de afdruk beschadigd.',
    },
    gone: {
      title: 'Deze code bestaat niet meer',
      text: 'De code is definitief verwijderd en leidt nergens meer naartoe.',
    },
    unavailable: {
      title: 'Een ogenblik geduld',
      text: 'We kunnen deze code nu niet opzoeken. De pagina probeert het over enkele seconden vanzelf opnieuw.',
      retry: 'Opnieuw proberen',
    },
  },
  sv: {
    paused: {
      title: 'Koden är pausad',
      text: 'Ägaren har stängt av den för tillfället. Försök gärna igen en annan gång.',
    },
    not_set_up: {
      title: 'Här finns inget än',
      text: 'Koden fungerar, men den leder ingenstans ännu. Välkommen tillbaka snart.',
      owner: 'Är det din kod? Ange vart den ska leda, så är den klar att använda.',
    },
    unknown: {
      title: 'Vi hittade inte koden',
      text: 'Kontrollera adressen eller skanna koden igen. Trycket kan vara skadat.',
    },
    gone: {
      title: 'Koden finns inte längre',
      text: 'Den har tagits bort för gott och leder inte längre någonstans.',
    },
    unavailable: {
      title: 'Ett ögonblick',
      text: 'Vi kan inte slå upp koden just nu. Sidan försöker igen av sig själv om några sekunder.',
      retry: 'Försök igen',
    },
  },
  es: {
    paused: {
      title: 'Este código está en pausa',
      text: 'Quien lo gestiona lo ha desactivado por ahora. Vuelva a intentarlo en otro momento.',
    },
    not_set_up: {
      title: 'Aquí todavía no hay nada',
      text: 'El código funciona, pero aún no lleva a ninguna parte. Vuelva pronto.',
      owner: '¿El código es suyo? Asígnele un destino y estará listo.',
    },
    unknown: {
      title: 'No hemos encontrado este código',
      text: 'Compruebe la dirección o escanee el código otra vez. Es posible que la impresión esté dañada.',
    },
    gone: {
      title: 'Este código ya no existe',
      text: 'Se eliminó definitivamente y ya no lleva a ninguna parte.',
    },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'Ahora mismo no podemos consultar este código. La página volverá a intentarlo sola en unos segundos.',
      retry: 'Intentar de nuevo',
    },
  },
  it: {
    paused: {
      title: 'Questo codice è in pausa',
      text: 'Chi lo gestisce lo ha disattivato per il momento. Riprovi un’altra volta.',
    },
    not_set_up: {
      title: 'Qui non c’è ancora nulla',
      text: 'Il codice funziona, ma non porta ancora da nessuna parte. Torni presto.',
      owner: 'Il codice è Suo? Gli assegni una destinazione e sarà pronto.',
    },
    unknown: {
      title: 'Non abbiamo trovato questo codice',
      text: 'Controlli l’indirizzo o scansioni di nuovo il codice. La stampa potrebbe essere danneggiata.',
    },
    gone: {
      title: 'Questo codice non esiste più',
      text: 'È stato eliminato definitivamente e non porta più da nessuna parte.',
    },
    unavailable: {
      title: 'Un attimo, per favore',
      text: 'Al momento non riusciamo a verificare questo codice. La pagina riproverà da sola tra pochi secondi.',
      retry: 'Riprova',
    },
  },
  no: {
    paused: {
      title: 'Koden er satt på pause',
      text: 'Eieren har slått den av inntil videre. Prøv gjerne igjen en annen gang.',
    },
    not_set_up: {
      title: 'Her er det ingenting ennå',
      text: 'Koden virker, men den fører ikke noe sted ennå. Velkommen tilbake snart.',
      owner: 'Er det din kode? Velg hvor den skal føre, så er den klar til bruk.',
    },
    unknown: {
      title: 'Vi fant ikke koden',
      text: 'Sjekk adressen eller skann koden på nytt. Trykket kan være skadet.',
    },
    gone: {
      title: 'Koden finnes ikke lenger',
      text: 'Den er slettet for godt og fører ikke lenger noe sted.',
    },
    unavailable: {
      title: 'Et øyeblikk',
      text: 'Vi kan ikke slå opp koden akkurat nå. Siden prøver igjen av seg selv om noen sekunder.',
      retry: 'Prøv igjen',
    },
  },
}
