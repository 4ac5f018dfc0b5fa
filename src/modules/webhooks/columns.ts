/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  /** A batch of events whose deliveries to one endpoint are still to be created. Written by a trigger on `events`. */
  event_fan_outs: object
  /** One row per endpoint and event type it subscribes to, whether or not the endpoint is active. */
  event_subscriptions: object
  /** One attempt and the state it leaves its delivery in. A trigger copies that state to the delivery. */
  webhook_attempts: {
    status_after: 'pending' | 'delivered' | 'failed'
  }
  /** One event to be sent to one endpoint. */
  webhook_deliveries: {
    /** Starts with the time of the event, so that ids sort by time. */
    id: string
    /** Null for a test. */
    event_id: string | null
    /** `held` is not stored: it is `pending` while the endpoint is not active. */
    status: 'pending' | 'delivered' | 'failed'
  }
  webhook_endpoints: {
    /** The OAuth grant it was created under; null if it was created with an API key or in a session. */
    grant_id: string | null
    /** Encrypted, and so is `old_secret`. */
    secret: string
    /** Time of the first failure since the last success, and the number of failures since then. */
    failing_since: string | null
  }
}
