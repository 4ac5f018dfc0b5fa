import { type Context, implement } from '../../../platform/http/index.ts'
import { type Simulation, type SimulationRequest, simulations } from './contract.ts'

/** The same code decides that decides about scans. */
export type Simulate = (ctx: Context, request: SimulationRequest) => Promise<Simulation>

export const simulationRoutes = (simulate: Simulate) =>
  implement(simulations, { simulate: (ctx, { body }) => simulate(ctx, body) })
