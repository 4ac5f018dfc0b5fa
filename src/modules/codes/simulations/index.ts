export type { Simulation, SimulationRequest } from './contract.ts'
export { type Simulate, simulationRoutes } from './routes.ts'
