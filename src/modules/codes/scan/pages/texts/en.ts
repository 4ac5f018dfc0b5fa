import type { NoticeTexts } from './texts.ts'

export const en: NoticeTexts = {
  paused: {
    title: 'This code is paused',
    text: 'The owner has turned it off for now. Please try again later.',
  },
  not_set_up: {
    title: 'This code is not set up yet',
    text: 'Nothing is linked to it yet. Please check back soon.',
    owner: 'Is this your code? Add a destination and it is ready to use.',
  },
  unknown: {
    title: 'We could not find this code',
    text: 'Please check the address or scan the code again. The print may be damaged.',
  },
  not_found: {
    title: 'Page not found',
    text: 'There is no page at this address. Please check it for typing mistakes.',
  },
  gone: {
    title: 'This code is no longer in use',
    text: 'It has been permanently deleted. If you need help, please contact the owner.',
  },
  malformed: {
    title: 'This link is not valid',
    text: 'The address does not follow the rules of GS1. Please scan the code again. The print may be damaged.',
  },
  compressed: {
    title: 'Compressed links are not supported',
    text: 'This is a GS1 Digital Link in its compressed form. Please use the form in which you can read the product number.',
  },
  no_link: {
    title: 'This information is not available',
    text: 'The owner has not added a link of the type you asked for. Please scan the code to see what is available.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'We cannot look up this code right now. This page will reload automatically in a few seconds.',
    retry: 'Try again',
  },
}
