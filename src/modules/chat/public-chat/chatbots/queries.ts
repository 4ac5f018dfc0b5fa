import { compiled, type Db } from '../../../../platform/db/index.ts'

/** Has no organisation filter: the public slug determines the organisation. */
const byPublicSlug = compiled((db: Db, publicSlug: string) =>
  db
    .selectFrom('chatbots as b')
    .innerJoin('organisations as o', 'o.id', 'b.org_id')
    .select([
      'b.id',
      'b.org_id',
      'b.name',
      'b.public_slug',
      'b.status',
      'b.welcome_message',
      'b.welcome_subtitle',
      'b.system_prompt',
      'b.model',
      'b.primary_color',
      'b.logo_url',
      'b.tone',
      'b.suggestions',
      'b.human_support_enabled',
      'b.password_hash',
      'b.article_ids',
      'b.category_ids',
      'b.knowledge_base_ids',
      'b.office_hours',
      'b.away_message',
      'b.default_language',
      'b.translations',
      'b.revision',
      'o.name as org_name',
      'o.logo_url as org_logo_url',
      'o.brand',
    ])
    .where('b.public_slug', '=', publicSlug),
)

export const selectPublicChatbot = async (db: Db, publicSlug: string) => (await byPublicSlug(db, publicSlug))[0]

/** The public slug, if a chatbot has it or had it once. Has no organisation filter either. */
export const selectUsedSlug = compiled((db: Db, publicSlug: string) =>
  db.selectFrom('chatbot_addresses').select('id').where('id', '=', publicSlug),
)
