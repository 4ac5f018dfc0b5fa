export { type CleanImage, ImageCleaner, ImageTooLarge, UnreadableImage } from './clean-image.ts'
