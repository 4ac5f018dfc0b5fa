/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  key_values: {
    list: 'properties' | 'url_params'
  }
  objects: {
    /** Sorts by name, ignoring case. */
    name_key: string
    /** Everything that `search` looks at. */
    search_text: string
    /** The path of a GS1 key without the first slash, such as `8004/…`, in its canonical form. Ends with `{rest}` if it stands for many. */
    gs1_key: string | null
    metadata: Record<string, unknown>
  }
  product_images: {
    /** The name of the stored file. */
    asset: string
    /** The name in the URL it was fetched from. Only displayed. */
    file_name: string
    media_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  }
  product_links: {
    /** Where the link leads: an absolute URL, maybe with placeholders, or a path on our own host. Slugs never change, so it stays true. */
    address: string
    /** A language tag in its canonical form, or `und`. */
    language: string | null
    /** Lower case, without parameters. */
    media_type: string | null
    /** True for at most one link of each lot and serial number, and one of the product itself. */
    is_default: boolean
  }
  products: {
    /** Sorts by name, ignoring case. */
    name_key: string
    /** Everything that `search` looks at. */
    search_text: string
    /** Always fourteen digits. */
    gtin: string | null
    status: 'unconfigured' | 'active' | 'inactive' | 'archived'
    metadata: Record<string, unknown>
  }
  /** What another service counted on each day. Not part of any counter: `qr_codes.imported_scans` is. */
  imported_scan_days: {
    /** In UTC, as in `2026-06-09`. */
    day: string
  }
  qr_codes: {
    /** The custom domain on which alone the code works, and its name. Both never change. */
    domain_id: string | null
    domain: string | null
    /** What another service had counted before the code was moved here. Part of the counter. */
    imported_scans: number | null
    /** Sorts by name, ignoring case. */
    name_key: string
    /** Everything that `search` looks at. */
    search_text: string
    status: 'unconfigured' | 'active' | 'inactive' | 'archived'
  }
  qr_groups: {
    /** Sorts by name, ignoring case. */
    name_key: string
    /** Everything that `search` looks at. */
    search_text: string
    status: 'unconfigured' | 'active' | 'inactive' | 'archived'
  }
  /** Each id is a hash of the key of a code on our own host whose organisation was erased. */
  retired_slugs: object
  scan_targets: {
    /** The key: kind and slug, as in `qr_code:aB3dE5gH`. */
    id: string
    /**
     * The setup of the target; named before there were decision rules. Null once the target was deleted. The row stays, so that its
     * slug is never used again.
     */
    rule: unknown
  }
  /** Every document of decision rules that an owner has had. The column `rules_version` of the owner says which counts. */
  target_rules: {
    document: Record<string, unknown>
  }
  /** Versions of where an owner leads, also those of the future. An owner that has never changed has none. */
  target_versions: {
    owner_kind: 'qr_code' | 'qr_group' | 'object' | 'product'
    cause: 'created' | 'changed' | 'restored' | 'scheduled'
    actor_kind: 'person' | 'api_key' | 'application' | 'command_line' | 'system' | null
    /** Null until a scheduled version becomes effective. */
    state: Record<string, unknown> | null
    /** What a scheduled version changes. Null for others. */
    change: Record<string, unknown> | null
  }
  /** One row of counters per target. Triggers insert, update and delete these rows. */
  scan_totals: {
    /** Copied from the target, so that one index finds and sorts the rows of a list. */
    archived: boolean
  }
  scans: {
    /** Starts with the time of the scan, so that ids sort by time. */
    id: string
    target_kind: 'qr_code' | 'object' | 'product'
    /** Distinguishes visitors within one day without identifying them. */
    visitor: string
    /** The object that was scanned, or that the scanned code belongs to. */
    object_id: string | null
    /** Why the scan shows a notice. Otherwise it follows from the other columns. */
    reason: 'paused' | 'not_set_up' | null
    /** The rules that decided; 0 for none, null for scans of an older release. */
    rules_version: number | null
    /** The version of the target that led the scan, if it is not the first one. */
    destination_version: number | null
  }
  /** One salt per day, shared by all processes. */
  visitor_salts: object
}
