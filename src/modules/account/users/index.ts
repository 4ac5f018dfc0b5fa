export { LINKS, NOTICES } from './mail-limits.ts'
export {
  confirmAddress,
  createUser,
  deactivateUser,
  findUser,
  findUserByEmail,
  foldEmail,
  isEmail,
  isUnchanged,
  lockUser,
  rememberLanguage,
  setEmail,
  setPasswordHash,
  type User,
  updateProfile,
} from './service.ts'
