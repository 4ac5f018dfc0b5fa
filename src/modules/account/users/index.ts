export {
  createUser,
  deactivateUser,
  findUser,
  findUserByEmail,
  foldEmail,
  setPasswordHash,
  type User,
  updateProfile,
} from './service.ts'
