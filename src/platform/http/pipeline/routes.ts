import type { Declaration, Input, Operation, Operations, Output } from '../../contract/operation.ts'
import type { Context } from './context.ts'

type Handlers<Ops extends Operations> = {
  [Name in keyof Ops]: Ops[Name] extends Operation<infer D>
    ? (ctx: Context, input: Input<D>) => Promise<Output<D>>
    : never
}

export interface Route {
  readonly operation: Operation
  readonly handle: (ctx: Context, input: Input<Declaration>) => Promise<unknown>
}

/** Binds a family's operations to its services. Leaving one out does not compile. */
export const implement = <Ops extends Operations>(operations: Ops, handlers: Handlers<Ops>): Route[] =>
  Object.entries(operations).map(([name, operation]) => ({
    operation,
    handle: handlers[name as keyof Ops] as Route['handle'],
  }))
