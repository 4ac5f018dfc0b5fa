import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasPackages, unpackPackage, updatePackages, withPackageLock } from './debian-packages.ts'

interface DebianProgram {
  name: string
  /** Debian's package that has it. */
  packageName: string
  /** Arguments with which it only prints its version. */
  versionArgs: string[]
}

/** Returns the program that is installed, or the one in Debian's package. Undefined if there is neither. */
export async function findDebianProgram({
  name,
  packageName,
  versionArgs,
}: DebianProgram): Promise<string | undefined> {
  const canRun = (program: string): boolean => spawnSync(program, versionArgs).status === 0
  if (canRun(name)) return name
  if (!hasPackages()) return undefined
  // In node_modules, like everything else that only tests need.
  const folder = fileURLToPath(new URL(`../../../node_modules/.cache/waymark-${packageName}`, import.meta.url))
  const unpacked = join(folder, 'usr/bin', name)
  return withPackageLock(async () => {
    if (!existsSync(unpacked)) {
      await unpackPackage(packageName, folder)
        .catch(() => updatePackages().then(() => unpackPackage(packageName, folder)))
        // This machine cannot reach a mirror, or has none with the package.
        .catch(() => undefined)
    }
    return canRun(unpacked) ? unpacked : undefined
  })
}
