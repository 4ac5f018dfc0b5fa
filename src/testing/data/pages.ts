/** Blocks for tests of pages: `{ type, config }`, as they are sent to the API. */
export interface TestBlock {
  type: string
  config: Record<string, unknown>
  spacing_bottom?: number
}

const block = (type: string, config: Record<string, unknown>): TestBlock => ({ type, config })

const OPTIONS = [
  { value: 'noise', label: { en: 'Unusual noise', de: 'Ungewöhnliches Geräusch' } },
  { value: 'leak', label: { en: 'It leaks', de: 'Sie ist undicht' } },
  { value: 'other', label: { en: 'Something else', de: 'Etwas anderes' } },
]

/** What a technician finds at a machine. */
export const FAULT_REPORT: TestBlock[] = [
  block('heading', { text: { en: 'Report a fault', de: 'Störung melden' }, level: 1 }),
  block('text', {
    text: {
      en: 'You are at **{{object.name|this machine}}**, serial number {{object.properties.serial|unknown}}. Tell us what happened and we will take care of it.',
      de: 'Sie sind an **{{object.name|dieser Maschine}}**, Seriennummer {{object.properties.serial|unbekannt}}. Sagen Sie uns, was passiert ist.',
    },
  }),
  block('banner', {
    title: { en: 'In an emergency', de: 'Im Notfall' },
    text: { en: 'Press the red button and leave the area.', de: 'Drücken Sie den roten Knopf und gehen Sie weg.' },
    kind: 'danger',
  }),
  block('form_radio', {
    label: { en: 'What is wrong?', de: 'Was ist los?' },
    name: 'kind',
    required: true,
    options: OPTIONS,
  }),
  block('form_textarea', {
    label: { en: 'What happened?', de: 'Was ist passiert?' },
    name: 'what',
    required: true,
    help: { en: 'The more we know, the faster we can help.', de: 'Je mehr wir wissen, desto schneller helfen wir.' },
  }),
  block('form_media', { label: { en: 'Photos', de: 'Fotos' }, name: 'photos' }),
  block('form_switch', { label: { en: 'The machine has stopped', de: 'Die Maschine steht still' }, name: 'stopped' }),
  block('form_email', {
    label: { en: 'Your email address', de: 'Ihre E-Mail-Adresse' },
    name: 'email',
    placeholder: 'name@example.com',
  }),
  block('form_submit', { label: { en: 'Send report', de: 'Meldung senden' } }),
]

/** Every type of block, and every style of each. */
export const EVERY_BLOCK: TestBlock[] = [
  block('heading', { text: 'Every block 🏷️', level: 1, alignment: 'center', color: '#ffd400' }),
  block('heading', { text: 'تنظيف الطاولة', level: 2 }),
  block('text', {
    text: 'Read *this*, see [our shop](https://acme.com/oil).\n\n- one\n- two\n\n> Quoted\n\n| Surface | Clean with |\n|---|---|\n| Oiled surfaces | soap-flakes-and-lukewarm-water |\n\n`code` Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  }),
  block('text', { text: 'استخدم قطعة قماش ناعمة.', color: '#ff0000' }),
  block('image', { url: 'https://images.acme.example/machine.svg', alt: 'A machine', caption: 'The machine' }),
  block('image', {
    url: 'https://images.acme.example/small.svg',
    link_url: 'https://acme.com/',
    width: 'small',
  }),
  block('video', { url: 'https://images.acme.example/how-to.mp4', title: 'How to clean it', caption: 'Two minutes' }),
  block('video', { url: 'https://video.acme.example/watch?v=1', title: 'How to repair it' }),
  ...['line', 'dots', 'space'].map((style) => block('divider', { style })),
  ...['info', 'success', 'warning', 'danger'].map((kind) =>
    block('banner', { kind, title: `A banner of kind ${kind}`, text: 'With a text that says more.\nOn two lines.' }),
  ),
  ...['primary', 'secondary', 'outline'].map((style) =>
    block('button', { label: `A ${style} button`, url: 'https://acme.com/manual', style }),
  ),
  block('contact', {
    name: 'Acme Service',
    organisation: 'Acme; Inc.',
    job_title: { en: 'Help desk', de: 'Kundendienst' },
    phone: '+49 (30) 123-456',
    email: 'help@acme.example',
    website: 'https://www.acme.example/',
    address: 'Main Street 1\n12345 Berlin',
  }),
  block('file', { url: 'https://files.acme.example/manual.pdf', label: 'Manual', description: 'PDF, 2 MB' }),
  block('form_text', { label: 'Name', name: 'name', required: true, placeholder: 'Your name', min: 2, max: 80 }),
  block('form_textarea', { label: 'Message', name: 'message', help: 'Please be brief.' }),
  block('form_email', { label: 'Email', name: 'email' }),
  block('form_phone', { label: 'Phone', name: 'phone' }),
  block('form_number', { label: 'Number of machines', name: 'count', min: 1, max: 99, step: 1 }),
  block('form_select', { label: 'Kind', name: 'kind', options: OPTIONS }),
  block('form_radio', { label: 'One of these', name: 'one', options: OPTIONS }),
  block('form_checkbox', { label: 'Some of these', name: 'some', required: true, options: OPTIONS }),
  block('form_switch', { label: 'Call me back', name: 'call', help: 'Within two days.' }),
  block('form_rating', { label: 'How do you like it?', name: 'stars' }),
  block('form_rating', { label: 'Would you recommend it?', name: 'recommend', max: 10 }),
  block('form_date', { label: 'Bought on', name: 'bought', max: '2030-01-01' }),
  block('form_hidden', { name: 'source', value: 'unknown', query_param: 'utm_source' }),
  block('form_media', { label: 'Receipt', name: 'receipt', accept: ['image', 'pdf'], max_files: 1 }),
  block('form_submit', { label: 'Send', success_title: 'Received', success_text: 'We will call you.' }),
]
