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
