import type { Config } from './config.ts'

/** The hosts of the service itself. */
export const ownHostsOf = ({ appUrl, publicUrl }: Pick<Config, 'appUrl' | 'publicUrl'>): string[] => [
  ...new Set([new URL(appUrl).hostname, new URL(publicUrl).hostname]),
]
