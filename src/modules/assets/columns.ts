/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  asset_references: {
    /** Such as `article`. */
    owner_kind: string
  }
  /** Files that no row names any more. Of all organisations, also of those that are deleted. */
  asset_removals: object
  assets: {
    /** The name of the file in the store. Never reused. */
    name: string
    /** A hash of organisation, visibility and content. Null for images from before there were assets. */
    hash: string | null
    /** Private files are never served under /assets/. */
    visibility: 'public' | 'private'
    /** Only displayed. */
    file_name: string
    /** Whether somebody uploaded it, and may be about to use it. */
    is_upload: boolean
    /** Null until the file is in the store. Nothing but the request that created the row uses it until then. */
    stored_at: string | null
    /** Null while something refers to it. */
    unreferenced_since: string | null
    /** The width of an image as it is shown. Null for other files, and for images that cannot be read. */
    width: number | null
    /** Null for a file from before sizes were stored, until the worker has read it. */
    measured_at: string | null
  }
}
