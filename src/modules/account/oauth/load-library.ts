import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { errors, interactionPolicy, default as Provider } from 'oidc-provider'
import { inSteps } from '../../../platform/jobs/in-steps.ts'

export interface Library {
  Provider: typeof Provider
  errors: typeof errors
  interactionPolicy: typeof interactionPolicy
}

const load = (file: string) => import(`oidc-provider/lib/${file}.js`)

/**
 * Loads the library in pieces of some 10 ms, with rests in which requests are served: at once, it takes a third of a second,
 * and much longer without a compile cache. Not by its main file, which prints a warning for every version of Node that has no
 * long-term support yet.
 */
export async function loadLibrary(): Promise<Library> {
  await inSteps(librarySteps)
  const [{ Provider }, errors, interactionPolicy] = await Promise.all([
    load('provider'),
    load('helpers/errors'),
    load('helpers/interaction_policy/index'),
  ])
  return { Provider, errors, interactionPolicy }
}

function librarySteps() {
  const library = createRequire(import.meta.resolve('oidc-provider'))
  const koa = createRequire(library.resolve('koa'))
  const { dependencies } = koa('../package.json') as { dependencies: Record<string, string> }
  return [
    ...Object.keys(dependencies).map((name) => async () => koa(name)),
    () => import(pathToFileURL(library.resolve('koa')).href),
    () => import(pathToFileURL(library.resolve('jose')).href),
    ...['helpers/errors', 'helpers/configuration', 'models/index', 'actions/index', 'provider'].map(
      (file) => () => load(file),
    ),
  ]
}
