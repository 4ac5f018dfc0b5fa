/** Addresses that must never be connected to: the first, the last and one in the middle of every range. */
export const PRIVATE_ADDRESSES = [
  ...['0.0.0.0', '0.0.0.1', '0.255.255.255', '10.0.0.0', '10.1.2.3', '10.255.255.255'],
  ...['100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.0', '127.0.0.1', '127.0.0.53', '127.255.255.255'],
  ...['168.63.129.16', '169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ...['172.16.0.0', '172.17.0.1', '172.31.255.255', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ...['192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.1', '192.168.0.0', '192.168.1.1', '192.168.255.255'],
  ...['198.18.0.0', '198.19.255.255', '198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255'],
  ...['224.0.0.0', '224.0.0.251', '239.255.255.255', '240.0.0.0', '250.1.2.3', '255.255.255.254', '255.255.255.255'],
  ...['::', '::1', '::2', '::127.0.0.1', '::10.0.0.1', '::8.8.8.8', 'ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ...['64:ff9b::', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::', '64:ff9b:1:ffff::10.0.0.1'],
  ...['100::', '100::1', '100::ffff:ffff:ffff:ffff', '100:0:0:1::1', '200::1', '400::1', '1000::1', '1fff:ffff::1'],
  ...['2001::', '2001::1', '2001:0:7f00:1::', '2001:0:ffff:ffff::1', '2001:1::1', '2001:2::1', '2001:10::1'],
  ...['2001:20::1', '2001:30::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db8::', '2001:db8:ffff::1'],
  ...['2002::', '2002:7f00:1::', '2002:a00:1::1', '2002:ffff:ffff::1', '3fff::', '3fff:fff:ffff::1'],
  ...['4000::1', '5f00::', '5f00:ffff::1', '6000::1', '8000::1', 'a000::1', 'c000::1', 'e000::1', 'f000::1'],
  ...['fc00::', 'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1', 'fe00::1', 'fe80::', 'fe80::1'],
  ...['febf:ffff::1', 'fec0::', 'fec0::1', 'feff:ffff::1', 'ff00::', 'ff02::1', 'ff0e::1', 'ffff:ffff::1'],
]

/** Notations that a URL parser, an operating system or a careless program takes for loopback. */
const LOOPBACK_SPELLINGS = [
  ...[
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '0177.0.0.1',
    '0177.1',
    '0177.0000.0000.0001',
    '017700000001',
    '00000177.0.0.1',
  ],
  ...['0x7f.1', '0x7f.0.0.1', '0x7F.0x0.0x0.0x1', '0x7f000001', '0X7F000001', '2130706433', '0x7f.0.1', '127.0x1'],
  ...[
    '１２７.0.0.1',
    '１２７．０．０．１',
    '127。0。0。1',
    '127｡0｡0｡1',
    '127．1',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '２１３０７０６４３３',
    '０ｘ７ｆ．１',
  ],
  ...[
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '127.0.0.%31',
    '%30x7f.1',
    '127%E3%80%820%E3%80%820%E3%80%821',
    '%EF%BC%9127.1',
  ],
  ...['0', '0.', '0x0', '00', '0.0', '0x', '000.000.000.000', '０'],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0001]',
    '[::]',
    '[0::0]',
    '[::127.0.0.1]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:7f00:0001]',
    '[::1%25lo]',
    '[::1%lo]',
  ],
  ...[
    '127.0.0.1..',
    '127..0.0.1',
    '.127.0.0.1',
    '127.0.0.1.0',
    '256.0.0.1',
    '4294967296',
    '127.0.0.0x100',
    '1.2.3.4.5',
  ],
]

const PRIVATE_NAMES = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost.',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛocalhost',
    'local%68ost',
    'loc\u00adalhost',
  ],
  ...['a.localhost', 'a.b.localhost.', 'acme.com.localhost', 'acme.com｡localhost', 'acme%2elocalhost', 'a.LOCALHOST'],
  ...['printer.local', 'printer.local.', 'a.b.LOCAL', 'local', 'local.', 'printer。local', 'printer.ｌocal'],
  ...[
    'metadata.google.internal',
    'metadata.google.internal.',
    'db.internal',
    'DB.Internal.',
    'internal',
    'db.intern%61l',
  ],
  ...['localhost.localdomain', 'localhost.localdomain.', 'LocalHost.LocalDomain', 'nas.lan', 'nas.LAN.', 'nas。lan'],
  ...['printer.home', 'mail.corp', 'mail.intra.corp.', 'acme.test', 'a.acme.test', 'acme.invalid', 'acme.invalid.'],
  ...['expyuzz4wqqyqhjn.onion', 'api.default.svc', 'api.default.svc.', 'api.default.svc.cluster.local', 'a.%73vc'],
  ...['wiki.intranet', 'db.private', 'acme.alt', 'acme.te\u00adst', 'nas.ｌａｎ', 'nas.l%61n'],
  ...['router.home.arpa', 'home.arpa', 'metadata', 'intranet', 'acme', 'acme.', 'com', 'com.', 'bücher'],
  ...['acme..com', '.acme.com', 'acme.com..', '..', '.', '-acme.com', 'acme-.com', `${'a'.repeat(64)}.com`],
  ...[`${'a.'.repeat(130)}com`, 'ac*me.com', '*.acme.com', 'acme.com,evil.com', 'acme;.com', "acme'.com", 'acme!.com'],
  ...['acme.com$', '(acme).com', 'acme+.com', 'acme=.com', 'acme&.com', 'ac~me.com', 'ac"me.com', 'ac{me}.com'],
]

const confusing = (port: number) =>
  [
    ...['user@acme.com', 'user:secret@acme.com', '@acme.com', ':@acme.com', 'user@127.0.0.1', 'acme.com@127.0.0.1'],
    ...[
      'acme.com:443@127.0.0.1',
      'acme.com%40@127.0.0.1',
      'a@b@127.0.0.1',
      '127.0.0.1@acme.com',
      'user%40acme.com@acme.com',
    ],
    ...[
      'acme.com\\@127.0.0.1',
      '127.0.0.1\\@acme.com',
      '127.0.0.1\\.acme.com',
      'acme.com\t@127.0.0.1',
      '127.0.0.1\n.acme.com',
    ],
    ...[
      'acme.com%00.127.0.0.1',
      '127.0.0.1\0.acme.com',
      '127.0.0.1%0d%0a.acme.com',
      '127.0.0.1 .acme.com',
      'ac\tme.com',
    ],
    ...['acme.com＠127.0.0.1', '127.0.0.1／.acme.com', '127.0.0.1＃.acme.com', '127.0.0.1？.acme.com', '127.0.0.1：80'],
  ].map((authority) => `https://${authority}:${port}/`)

const schemes = (port: number) =>
  [
    ...[
      'http',
      'HTTP',
      'ftp',
      'ws',
      'wss',
      'gopher',
      'dict',
      'ldap',
      'tftp',
      'sftp',
      'netdoc',
      'jar:https',
      'blob:https',
    ],
    ...['view-source:https', 'httpss', 'xhttps', 'https+unix', 'feed:https', 'unix', 'h2c', 'git+https'],
  ].flatMap((scheme) => [`${scheme}://127.0.0.1:${port}/`, `${scheme}://acme.com:${port}/`])

const malformed = (port: number) => [
  ...[
    '',
    ' ',
    'https',
    'https:',
    'https:/',
    'https://',
    'https:///',
    'https://?',
    'https://#',
    'https://:443',
    'acme.com',
  ],
  ...[
    `https:127.0.0.1:${port}`,
    `https:/127.0.0.1:${port}`,
    `https:///127.0.0.1:${port}`,
    `https:\\\\127.0.0.1:${port}`,
  ],
  ...[`https:acme.com:${port}`, `https:/acme.com:${port}`, `https:////acme.com:${port}`, `https:/\\acme.com:${port}`],
  ...[
    `//127.0.0.1:${port}`,
    `//acme.com:${port}`,
    `/\\acme.com:${port}`,
    `127.0.0.1:${port}`,
    `\thttps://acme.com:${port}`,
  ],
  ...[
    `ht\ntps://acme.com:${port}`,
    ` https://127.0.0.1:${port}`,
    `https ://acme.com:${port}`,
    `https://acme.com:${port}/\r\nX: y`,
  ],
  ...['file:///etc/passwd', 'file://localhost/etc/passwd', 'file:/etc/passwd', 'data:image/png;base64,iVBORw0KGgo='],
  ...[
    'javascript:alert(1)',
    'about:blank',
    'mailto:a@acme.com',
    'cid:1',
    'urn:x:y',
    'null',
    'undefined',
    '[object Object]',
  ],
]

const PORTS = ['0', '1', '21', '22', '25', '53', '80', '444', '3306', '5432', '6379', '8080', '9200', '11211', '65535']
const BAD_PORTS = ['65536', '-1', '99999999999', '4 43', '443a', '0x1bb', '４４３x']

/** Unique URLs that must all be rejected, although `port` is allowed. */
export function hostileUrls(port: number): string[] {
  const literals = PRIVATE_ADDRESSES.map((address) => (address.includes(':') ? `[${address}]` : address))
  const hosts = [...literals, ...LOOPBACK_SPELLINGS, ...PRIVATE_NAMES]
  return [
    ...new Set([
      ...hosts.map((host) => `https://${host}:${port}/image.png`),
      ...confusing(port),
      ...schemes(port),
      ...malformed(port),
      ...[...PORTS, ...BAD_PORTS].map((bad) => `https://acme.com:${bad}/`),
    ]),
  ]
}
