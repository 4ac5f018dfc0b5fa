import { asks, undocumented } from './question.ts'

/** Keys are packages. */
export const PACKAGES = [
  asks(
    'ipaddr.js',
    ['ipaddr.process', 'toIPv4Address'],
    'our dual stack server sees visitors as ::ffff:203.0.113.9, how do I get the plain v4 notation',
  ),
  asks(
    'find-my-way',
    'maxParamLength',
    'The route exists, but when the id in the url is really long (ours are about 130 characters) the request lands in the 404 handler. Why?',
  ),
  asks(
    'prom-client',
    'Pushgateway',
    'Our nightly cron job is already finished before Prometheus comes round to fetch its numbers, how can the script send them out by itself?',
  ),
  asks('streamx', 'Readable.from', 'How do I turn a plain array into something I can pipe?'),
  undocumented('Does the benchmark also report how much heap each task allocates?'),
  asks(
    'fflate',
    ['filter', 'neededFiles', 'unzipper.onfile'],
    'How can I unpack only two or three entries of a huge zip and leave the rest alone?',
  ),
  asks(
    'fast-xml-parser',
    'arrayMode',
    'An XML element that occurs once comes out as an object and twice as a list. I allways want a list',
  ),
  asks('picomatch', ['options.dot', 'dotfile'], 'glob ** skips .github and .env'),
  undocumented('Can I check an XML file against an XSD schema while parsing?'),
  asks(
    'semver',
    'maxSatisfying',
    'I have a list of released versions and want the newest one that still fits ^2.1, which function gives me that?',
  ),
  asks(
    'fast-xml-parser',
    'stopNodes',
    'Can the html inside a <description> tag be kept as raw text when the xml is converted, instead of becoming nested objects?',
  ),
  undocumented('enable CORS headers for all responses in koa'),
  asks(
    'streamx',
    'writev',
    'Lots of tiny chunks are written to my writable stream and each one costs a database call. How can I handle everything that is waiting in the buffer in one go?',
  ),
  undocumented('Put our company logo in the middle of a generated QR code'),
  asks(
    'magic-string',
    ['s.update', 'contentOnly'],
    'I inserted a comment in front of an identifier, then replaced that identifier, and now my comment is gone from the edited source. How do I keep it?',
  ),
  asks(
    'koa',
    ['dead_horse', 'please email', 'do not open an issue', 'jonathanong'],
    'I found a security hole in the middleware framework (the one with ctx and await next()). Who should I tell?',
  ),
  asks(
    'semver',
    ['-n 1', 'identifierBase'],
    'from the shell: bump 1.2.3 to the first beta, but numbering should begin at one instead of zero',
  ),
  asks(
    'zxing-wasm',
    ['WXWebAssembly', 'zxing_full.wasm', 'prepareZXingModule'],
    'barcode reading in a wechat mini program',
  ),
  asks(
    'tinybench',
    ['subtractTimerOverhead', 'overriddenDuration'],
    'The function I benchmark is so short that reading the clock costs more than the call itself. Can that be taken off the results?',
  ),
  asks(
    'magic-string',
    'hires',
    'When stepping through my rewritten code the debugger finds the right line but never the right character in it. How do I get a more precise sourcemap?',
  ),
  undocumented(
    'Two people edited the same text. Can I do a three-way merge with the common ancestor and get conflict markers?',
  ),
  asks('koa', 'v18.0.0', "what's the oldest node I can run a koa app on?"),
  asks(
    'zxing-wasm',
    ['locateFile', 'prepareZXingModule', 'wasmBinary', 'instantiateWasm'],
    'Our warehouse tablets have no internet, and the scanner wants to download its binary from a CDN before it reads the first QR code. How can I serve that file from our own machine?',
  ),
  undocumented('Is there a way to write the debug output into a log file that is rotated every day?'),
  asks(
    'diff',
    'stripTrailingCr',
    'I compare a file that was saved on a Windows PC with the same one from linux and it says every single line is different',
  ),
  asks('diff', 'reversePatch', 'How do I take back a patch that was already applied to a text?'),
  asks('picomatch', ['expandRange', 'fill-range', 'micromatch'], 'How can a glob match folders numbered 01 up to 25?'),
  asks('debug', ['console.log.bind', 'per-namespace by overriding'], 'debug messages to stdout'),
  undocumented('Which country does an IP address belong to?'),
  asks(
    'streamx',
    'highWaterMark',
    'my readable stream fetches data before anybody asked for it, can I swich that off?',
  ),
  asks(
    'prom-client',
    ['clusterMetrics', 'AggregatorRegistry', 'aggregate all of the workers'],
    'We run the service as four forked processes and every scrape shows the counters of just one of them. How do I get the totals of all together?',
  ),
  asks('prom-client', 'arrow functions', '`this` is undefined inside the collect callback of my gauge'),
  undocumented('how do i create a password protected zip'),
  asks(
    'ipaddr.js',
    'isValidFourPartDecimal',
    '0xc0.168.1.1 passes as a valid address, I only want to accept the usual four numbers with dots',
  ),
  asks(
    'semver',
    ['includePrerelease', '--include-prerelease'],
    'Our canary builds like 2.0.0-rc.1 never match >=1.5 when we check them against the version range. Can I let betas and release candidates through?',
  ),
  asks(
    'find-my-way',
    ["host: 'example.com'", 'constraints'],
    'same url path, but another handler when visitors come in through a different domain',
  ),
  asks(
    'tinybench',
    'retainSamples',
    "where are the single timings after the benchmark? i'd like to draw a chart of all of them",
  ),
  asks(
    'fflate',
    ['already compressed', 'pre-compressed', 'level: 0', 'level 0'],
    'is it worth compressing when I put a folder full of photos into a zip',
  ),
  asks(
    'debug',
    'DEBUG_COLORS',
    "My forked worker prints its debug lines in plain black and white as soon as I pipe its stderr, in the parent they're coloured per namespace. What do I set?",
  ),
  asks(
    'find-my-way',
    ['double colon', '::customVerb'],
    'How do I register a path with a literal colon in it, like /orders:cancel, without it being taken as a parameter?',
  ),
]
