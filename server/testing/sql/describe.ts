import type pg from "pg";

/** A column of a statement's result, as PostgreSQL describes it before running anything. */
export interface Column {
  name: string;
  type: number;
  /** The table column it is read from, if it is one. */
  source: { table: number; column: number } | null;
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/**
 * The methods that a client calls on a query that speaks the protocol itself, as `pg-cursor` does.
 */
interface Query extends pg.Submittable {
  handleRowDescription: (message: { fields: Field[] }) => void;
  handleError: (error: Error) => void;
  handleReadyForQuery: () => void;
}

/** Parses and plans a statement without running it. Rejects with PostgreSQL's error. */
export function describeStatement(client: pg.PoolClient, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = [];
    let failure: Error | null = null;
    const query: Query = {
      submit: (connection: pg.Connection) => {
        connection.parse({ name: "", text, types: [] }, false);
        connection.describe({ type: "S", name: "" }, false);
        connection.sync();
      },
      handleRowDescription: ({ fields }) => {
        columns = fields.map((field) => ({
          name: field.name,
          type: field.dataTypeID,
          source: field.tableID ? { table: field.tableID, column: field.columnID } : null,
        }));
      },
      handleError: (error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (!failure) resolve(columns);
      },
    };
    client.query(query);
  });
}
