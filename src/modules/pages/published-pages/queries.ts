import { compiled, type Db } from '../../../platform/db/index.ts'

/** Has no organisation filter: the public slug determines the organisation. */
const byPublicSlug = compiled((db: Db, publicSlug: string) =>
  db
    .selectFrom('pages as p')
    .innerJoin('page_blocks as b', 'b.page_id', 'p.id')
    .innerJoin('organisations as o', 'o.id', 'p.org_id')
    .select([
      'p.id',
      'p.org_id',
      'p.public_slug',
      'p.status',
      'p.title',
      'p.background',
      'p.island',
      'p.favicon_url',
      'p.meta_title',
      'p.meta_description',
      'p.og_image_url',
      'p.default_language',
      'p.languages',
      'p.translations',
      'p.proof_of_work',
      'p.notify_user_ids',
      'p.revision',
      'b.blocks',
      'o.name as org_name',
      'o.logo_url as org_logo_url',
      'o.brand',
    ])
    .where('p.public_slug', '=', publicSlug),
)

export const selectPublicPage = async (db: Db, publicSlug: string) => (await byPublicSlug(db, publicSlug))[0]

const addressBySlug = compiled((db: Db, publicSlug: string) =>
  db.selectFrom('page_addresses').select('id').where('id', '=', publicSlug),
)

/** Whether any page has ever had this public slug. Has no organisation filter either. */
export const wasPublicSlugUsed = async (db: Db, publicSlug: string): Promise<boolean> =>
  (await addressBySlug(db, publicSlug)).length > 0
