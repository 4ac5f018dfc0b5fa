export { mountAccount } from './account/index.ts'
export { mountHelpCentre } from './help-centre/index.ts'
export { mountOAuth } from './oauth/index.ts'
export { mountRootFiles } from './root-files/index.ts'
