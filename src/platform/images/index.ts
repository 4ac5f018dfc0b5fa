export { type CleanImage, ImageCleaner } from './clean-image.ts'
export { IMAGE_HEAD_BYTES, type ImageSize, imageSizeOf, imageSizeOfFile } from './image-size.ts'
export { ImageTooLarge, UnreadableImage } from './lazy-sharp.ts'
export { LogoImages } from './logo-images.ts'
