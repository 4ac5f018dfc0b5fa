export { mountHelpCentre } from './help-centre/index.ts'
