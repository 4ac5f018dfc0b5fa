import type { MailTexts } from './texts.ts'

export const pl: MailTexts = {
  kinds: {
    invitation: {
      subject: 'Dołącz do organizacji {organisation} w Waymark',
      text: 'Otrzymujesz zaproszenie do organizacji {organisation} w Waymark.',
      link: 'Otwórz zaproszenie',
      hint: 'Link działa jeden raz, przez siedem dni. Jeśli nie znasz tej organizacji, zignoruj tę wiadomość.',
    },
    reset_password: {
      subject: 'Ustaw nowe hasło do Waymark',
      text: 'Ktoś poprosił o nowe hasło do Twojego konta Waymark.',
      link: 'Ustaw nowe hasło',
      hint: 'Link działa jeden raz, przez godzinę. Jeśli to nie Ty, zignoruj tę wiadomość. Twoje hasło się nie zmieni.',
    },
    change_email: {
      subject: 'Potwierdź nowy adres e-mail',
      text: 'Ktoś poprosił o użycie tego adresu e-mail na koncie Waymark.',
      link: 'Potwierdź adres',
      hint: 'Link działa jeden raz, przez jeden dzień. Jeśli to nie Ty, zignoruj tę wiadomość.',
    },
    email_changed: {
      subject: 'Twój adres e-mail został zmieniony',
      text: 'Twoje konto Waymark używa teraz innego adresu e-mail. Nie wysyłamy już wiadomości o koncie na ten adres.',
      link: 'Otwórz konto',
      hint: 'Jeśli to nie Ty, natychmiast skontaktuj się z właścicielem organizacji lub operatorem tej instalacji.',
    },
    password_changed: {
      subject: 'Twoje hasło zostało zmienione',
      text: 'Hasło do Twojego konta Waymark zostało zmienione. We wszystkich innych przeglądarkach nastąpiło wylogowanie.',
      link: 'Ustaw nowe hasło',
      hint: 'Jeśli to nie Ty, natychmiast użyj linku, aby ustawić nowe hasło.',
    },
    factors_changed: {
      subject: 'Twoje ustawienia logowania zostały zmienione',
      text: 'Dodano, usunięto lub odnowiono drugi składnik logowania do Twojego konta Waymark: klucz dostępu, aplikację uwierzytelniającą lub kody odzyskiwania.',
      link: 'Otwórz konto',
      hint: 'Jeśli to nie Ty, natychmiast zmień hasło i sprawdź drugie składniki logowania.',
    },
    new_device: {
      subject: 'Nowe logowanie do Twojego konta',
      text: 'Ktoś zalogował się do Twojego konta Waymark w przeglądarce, która nie była wcześniej używana.',
      link: 'Otwórz konto',
      hint: 'Jeśli to Ty, nie musisz nic robić. Jeśli nie, natychmiast zmień hasło. Spowoduje to wylogowanie we wszystkich innych przeglądarkach.',
    },
    endpoint_gone: {
      subject: 'Punkt końcowy webhooka organizacji {organisation} został wyłączony',
      text: 'Odbiorca organizacji {organisation} zwrócił odpowiedź 410 Gone. Waymark wyłączył ten punkt końcowy i nic już do niego nie wysyła.',
      link: 'Otwórz webhooki',
      hint: 'Zdarzenia są przechowywane przez 30 dni. Zostaną wysłane, gdy wznowisz działanie punktu końcowego.',
    },
    endpoint_failing: {
      subject: 'Punkt końcowy webhooka organizacji {organisation} został wyłączony',
      text: 'Od pięciu dni wszystkie próby połączenia z odbiorcą organizacji {organisation} kończą się niepowodzeniem. Waymark wyłączył ten punkt końcowy i nic już do niego nie wysyła.',
      link: 'Otwórz webhooki',
      hint: 'Zdarzenia są przechowywane przez 30 dni. Zostaną wysłane, gdy wznowisz działanie punktu końcowego.',
    },
    credits_low: {
      subject: 'Organizacji {organisation} kończą się kredyty',
      text: 'Chatboty organizacji {organisation} zużyły większość kredytów. Pozostałe kredyty: {number}.',
      link: 'Otwórz Waymark',
      hint: 'Gdy kredyty się skończą, chatboty przestaną odpowiadać. Operator tej instalacji może dodać kredyty.',
    },
    credits_empty: {
      subject: 'Organizacja {organisation} nie ma już kredytów',
      text: 'Chatboty organizacji {organisation} zużyły wszystkie kredyty i nie odpowiadają już na pytania.',
      link: 'Otwórz Waymark',
      hint: 'Operator tej instalacji może dodać kredyty. Chatboty znów będą wtedy odpowiadać.',
    },
    domain_failing: {
      subject: 'Rekordy domeny {domain} są nieprawidłowe',
      text: 'Od trzech dni rekordy DNS domeny {domain} nie są takie, jakich oczekuje Waymark. Jeśli nie zostaną poprawione w ciągu czterech dni, organizacja {organisation} nie będzie mogła używać tej domeny, a wydrukowane kody z tą domeną przestaną działać.',
      link: 'Otwórz domeny',
      hint: 'Zobaczysz tam, który rekord jest nieprawidłowy. Waymark sprawdza domenę codziennie.',
    },
    domain_lost: {
      subject: 'Domena {domain} nie jest już używana',
      text: 'Od siedmiu dni rekordy DNS domeny {domain} są nieprawidłowe. Waymark nie pokazuje już pod tą domeną niczego, co należy do organizacji {organisation}.',
      link: 'Otwórz domeny',
      hint: 'Gdy rekordy będą znów prawidłowe, domena będzie ponownie używana. Waymark będzie ją sprawdzać jeszcze przez miesiąc.',
    },
    domain_taken_over: {
      subject: 'Domena {domain} należy teraz do innej organizacji',
      text: 'Inna organizacja potwierdziła rekordem DNS, że domena {domain} należy do niej. Waymark nie pokazuje już pod tą domeną niczego, co należy do organizacji {organisation}.',
      link: 'Otwórz domeny',
      hint: 'Jeśli domena należy do Ciebie, usuń nieznany rekord DNS i utwórz nowy, który pokazuje Waymark.',
    },
    conversation_reply: {
      subject: '{organisation}: masz odpowiedź',
      text: 'Osoba z organizacji {organisation} odpowiedziała na Twoją wiadomość na czacie.',
      link: 'Kontynuuj rozmowę',
      hint: 'Link działa jeden raz, przez 30 dni. Otrzymujesz tę wiadomość, ponieważ Twój adres został podany na czacie. Jeśli to nie Ty, zignoruj ją.',
    },
    submission: {
      subject: 'Nowe zgłoszenie {number}: {page}',
      text: 'Ktoś wysłał formularz na Twojej stronie „{page}”. To zgłoszenie numer {number}.',
      link: 'Otwórz Waymark',
      hint: 'Otrzymujesz tę wiadomość, ponieważ strona wysyła Ci powiadomienia. Gdy strona otrzyma bardzo wiele zgłoszeń w ciągu godziny, nie wszystkie są wysyłane pocztą e-mail.',
    },
  },
  facts: {
    invitedBy: 'Zaproszenie od',
    newEmail: 'Nowy adres',
    device: 'Przeglądarka',
    address: 'Adres IP',
    time: 'Czas',
    endpoint: 'Punkt końcowy',
    since: 'Nie działa od',
    answer: 'Odpowiedź',
  },
  footer: 'Wysłane automatycznie przez Waymark pod adresem {url}.',
}
