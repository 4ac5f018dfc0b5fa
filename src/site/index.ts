export { mountAccount } from './account/index.ts'
export { mountHelpCentre } from './help-centre/index.ts'
