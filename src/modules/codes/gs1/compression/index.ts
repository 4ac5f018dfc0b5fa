export { compressLink, type DecompressedLink, decompressLink } from './compressed-link.ts'
