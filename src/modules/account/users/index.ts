export { LINKS, NOTICES } from './mail-limits.ts'
export {
  createUser,
  deactivateUser,
  findUser,
  findUserByEmail,
  foldEmail,
  isEmail,
  rememberLanguage,
  setEmail,
  setPasswordHash,
  type User,
  updateProfile,
} from './service.ts'
