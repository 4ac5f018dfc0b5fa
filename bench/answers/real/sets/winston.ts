import { asks, undocumented } from './question.ts'

/** Keys are headings. */
export const WINSTON = [
  asks(
    'Using Logging Levels',
    ['dynamically change', 'transports.console.level'],
    'Can I make one output more verbose while the app is running, without a restart?',
  ),
  undocumented('When I pass an Error object only its text is printed, I need the stack trace as well'),
  asks(
    'Handling Uncaught Promise Rejections with winston',
    ['rejectionHandlers', 'rejections.handle', 'handleRejections'],
    "a promise without catch fails and i can't see it in my logs",
  ),
  asks('Colorizing full log line when json formatting logs', 'all: true', 'json output, entire row in colour'),
  asks('Motivation', 'storage device', 'What exactly is a transport?'),
  undocumented('gzip old log files automatically'),
  asks('Run Tests', 'test:unit', 'How do I run only the unit tests of the project?'),
  undocumented('How do I ship my entries to Elasticsearch?'),
  asks(
    'Usage',
    'high memory usage issue',
    "Memory of my app keeps growing. I just call require('winston') and log, I never set anything up. Could that be the reason?",
  ),
  asks(
    'Colorizing Standard logging levels',
    'must come before',
    'does it matter whether colorize is first or last in the chain',
  ),
  asks(
    ['Creating your own Logger', 'Using the Default Logger'],
    ['logger.configure(', 'configure method', 'configure()', 'winston.configure('],
    'Can I replace all outputs of an existing logger with new ones in one go?',
  ),
  asks(
    'Working with multiple Loggers in winston',
    ['winston.loggers', 'winston.Container'],
    "I'd like to set up several loggers in one place and fetch them by name in other files",
  ),
  asks(
    'Awaiting logs to be written in winston',
    ['finish event', "logger.on('finish'", 'logger.end()'],
    'My script calls process.exit at the end and the last lines are always missing from the file. How do I know everything has been saved?',
  ),
  asks(
    'Creating child loggers',
    ['logger.child', "requestId: '451'"],
    'Each incoming request has an id and I want it on everything logged for that request, without passing it every time',
  ),
  asks(
    'Creating custom formats',
    ['transform(info, opts)', 'specific to the current instance'],
    'Which two arguments does a self-written formatter recieve?',
  ),
  asks('Profiling', ['startTimer', 'logger.profile'], 'measure how long something takes'),
  asks(
    'Formats',
    'printf',
    'I want to decide myself what a line looks like, time first, then a tag in brackets, then the text',
  ),
  asks(
    'Using Custom Logging Levels',
    ['cyanBG', 'blackBG'],
    'I defined my own severities and would like one of them in bold with a coloured background, what can I write there?',
  ),
  asks(
    'Streaming Logs',
    ['start: -1', 'winston.stream'],
    'Is there something like tail -f, so I can follow new entries from my program?',
  ),
  asks('Streams, objectMode, and info objects', 'triple-beam', 'Which package do I import LEVEL and SPLAT from?'),
  asks('Quick Start', ['./examples/', 'quick start example'], 'are there sample programs i can look at'),
  undocumented('Timestamps come out in UTC, how can I print them in Berlin time?'),
  asks('Querying Logs', 'logger.query', 'How do I look up the entries of the last 24 hours from code?'),
  asks(
    'Logging Levels',
    ['emerg: 0', '0 to 7'],
    'With the syslog scheme, which number belongs to the most severe entry and how far does it go?',
  ),
  asks(
    'Routing Console transport messages to the console instead of stdout and stderr',
    'forceConsole',
    'nothing shows up in vs code when i attach the debugger',
  ),
  undocumented('can it print the source file and line number of the caller'),
  asks('winston@3', 'Upgrade Guide', 'We are still on the previous major version, what do we read to migrate?'),
  asks(
    'Adding Custom Transports',
    ['winston-transport', 'implement a log() method'],
    'We want to save entries through our own class into an in-house system. What do I have to extend and implement?',
  ),
  undocumented(
    'One of our services repeats the same error a thousand times per second. Is there a rate limit so that duplicates are written only once?',
  ),
  asks(
    ['Filtering info Objects', 'Creating custom formats'],
    ['falsey', 'return false'],
    'Entries flagged as confidential must never be written. How do I skip them?',
  ),
  asks(
    'Creating child loggers',
    ['likely to be bugged', 'unexpected things'],
    'I subclassed Logger and now child() acts strangely',
  ),
  asks(
    ['Common Transport options', 'Usage'],
    ['each transport separately', 'winston.format.simple()', 'format.simple'],
    'Can the file get JSON while the terminal gets readable plain text?',
  ),
  asks(
    'Streams, objectMode, and info objects',
    ['automatically be concatenated', 'concatenate'],
    'Why does the text of my entry get glued together with the message field of the object I pass?',
  ),
  asks(
    'Multiple transports of the same type',
    ['logger.remove(', 'logger.transports.find'],
    'I have two file outputs, how do I take just one of them away again later?',
  ),
  asks(
    'To Exit or Not to Exit',
    ['ignoreEpipe', 'can also be a function', 'EPIPE'],
    'After a broken pipe I want the process to live on, but every other crash should still end it',
  ),
  undocumented('Is there an express middleware that records every incoming request?'),
  asks(
    ['Handling Uncaught Exceptions with winston', 'To Exit or Not to Exit'],
    ['exceptionHandlers', 'exceptions.handle', 'handleExceptions'],
    "My server dies at night and there's nothing in the log. How do I get crashes written to a file of their own?",
  ),
  asks('String interpolation', 'format.splat', '%s placeholders are not replaced'),
  undocumented('Can I use it in the browser inside a React app?'),
  asks('Creating your own Logger', 'silent', 'how do i mute all output during tests'),
]
