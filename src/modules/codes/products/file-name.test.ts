import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.ts'

test.each([
  ['https://acme.com/a/chair.png', 'chair.png'],
  ['https://acme.com/chair.png?size=2#top', 'chair.png'],
  ['https://acme.com/Stuhl%20gr%C3%BCn.png', 'Stuhl grün.png'],
  ['https://acme.com/%2e%2e%2f%2e%2e%2fpasswd', '....passwd'],
  ['https://acme.com/a%5Cb%00c%0Ad.png', 'abcd.png'],
  ['https://acme.com/chair%E2%80%AEgnp.exe', 'chairgnp.exe'],
  ['https://acme.com/%zz.png', '%zz.png'],
  ['https://acme.com/%ED%A0%80.png', '%ED%A0%80.png'],
  ['https://acme.com', 'image.jpg'],
  ['https://acme.com/images/', 'image.jpg'],
  ['https://acme.com/%20%09', 'image.jpg'],
  ['https://acme.com/...', 'image.jpg'],
])('the file name of %s is %s', (url, name) => {
  expect(fileNameOf(url, 'jpg')).toBe(name)
})

test('a long name is cut to 255 characters, never inside one', () => {
  const name = fileNameOf(`https://acme.com/${encodeURIComponent('🪑'.repeat(300))}`, 'jpg')
  expect(name).toBe('🪑'.repeat(255))
})
