export { compressLink, decompressLink } from './compressed-link.ts'
