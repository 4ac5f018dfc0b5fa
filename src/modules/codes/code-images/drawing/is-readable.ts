import { decodeQR } from 'qr/decode.js'
import type { DrawnLogo, LogoBox } from './logo.ts'
import type { Modules } from './modules.ts'
import { type Style, TRANSPARENT, toRgb } from './style.ts'

const MODULE_PIXELS = 4
const QUIET_ZONE = 4
/** More than the decoder ever takes. Its default is the time of one camera frame, which a busy machine may exceed. */
const TIME_LIMIT_MS = 2000

/** Draws a QR code with its logo, in pixels of its own colours, and reads it as a phone would. */
export function isReadable(text: string, modules: Modules, logo: DrawnLogo, box: LogoBox, style: Style): boolean {
  const side = (modules.length + 2 * QUIET_ZONE) * MODULE_PIXELS
  const [dark, light] = [toRgb(style.dark), toRgb(style.light === TRANSPARENT ? '#ffffff' : style.light)]
  const data = Buffer.alloc(side * side * 3)
  const corner = (QUIET_ZONE + box.at) * MODULE_PIXELS
  const logoPixels = box.side * MODULE_PIXELS
  for (let y = 0; y < side; y++) {
    const row = modules[Math.floor(y / MODULE_PIXELS) - QUIET_ZONE]
    const logoY = Math.floor(((y - corner) / logoPixels) * logo.side)
    for (let x = 0; x < side; x++) {
      const isDark = row?.[Math.floor(x / MODULE_PIXELS) - QUIET_ZONE] === true
      const colour = isDark ? dark : light
      const logoX = Math.floor(((x - corner) / logoPixels) * logo.side)
      const isLogo = logoX >= 0 && logoX < logo.side && logoY >= 0 && logoY < logo.side
      const from = isLogo ? (logoY * logo.side + logoX) * 4 : 0
      const alpha = isLogo ? (logo.pixels[from + 3] as number) / 255 : 0
      for (let part = 0; part < 3; part++) {
        const below = colour[part] as number
        const above = isLogo ? (logo.pixels[from + part] as number) : 0
        data[(y * side + x) * 3 + part] = below + (above - below) * alpha
      }
    }
  }
  try {
    return decodeQR({ width: side, height: side, data }, { format: 'RGB', timeLimit: TIME_LIMIT_MS }) === text
  } catch {
    return false
  }
}
