import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.QueryBuilder;
import org.apache.lucene.util.Version;
import org.json.JSONArray;
import org.json.JSONObject;

/**
 * Lucene among the peers; its argument and what it prints are those of peer-contract.ts. EnglishAnalyzer, BM25, one
 * thread, one segment, keys in doc values, no cache of queries.
 */
public final class LucenePeer {
  private static final int BEST = 10;
  private static final int COUNT_LIMIT = 1000;
  private static final double BUFFER_MEGABYTES = 256;

  private record Question(int place, String kind, String words) {}

  /** By the place of the question. */
  private static final class Answers {
    final double[] us;
    final long[] totals;
    long keysRead;

    Answers(int questions) {
      us = new double[questions];
      Arrays.fill(us, Double.POSITIVE_INFINITY);
      totals = new long[questions];
    }
  }

  private record Asking(
      IndexSearcher searcher, LeafReader leaf, QueryBuilder builder, int threshold, int passes, long budgetMs) {
    void askAll(Iterable<List<Question>> classes, Answers answers) throws IOException {
      for (List<Question> questions : classes) {
        long end = System.nanoTime() + budgetMs * 1_000_000;
        for (int pass = 0; pass < passes && System.nanoTime() < end; pass++) {
          for (Question question : questions) {
            if (ask(question, answers) > end) break;
          }
        }
      }
    }

    /** Gives the time of the end. */
    private long ask(Question question, Answers answers) throws IOException {
      long start = System.nanoTime();
      TopDocs best = searcher.search(queryOf(builder, question), new TopScoreDocCollectorManager(BEST, threshold));
      answers.keysRead += keysOf(leaf, best).length;
      long end = System.nanoTime();
      int place = question.place();
      answers.us[place] = Math.min(answers.us[place], (end - start) / 1e3);
      answers.totals[place] = best.totalHits.value();
      return end;
    }
  }

  public static void main(String[] args) throws IOException {
    JSONObject task = new JSONObject(args[0]);
    System.out.print(switch (task.getString("step")) {
      case "build" -> build(task);
      case "prepare" -> prepare(task);
      case "write" -> write(task);
      default -> ask(task);
    });
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig(new EnglishAnalyzer())
        .setRAMBufferSizeMB(BUFFER_MEGABYTES)
        .setSimilarity(new BM25Similarity(1.2f, 0.75f));
  }

  private static DataInputStream inputOf(JSONObject task, String name) throws IOException {
    return new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(task.getString(name))), 1 << 20));
  }

  private static JSONObject build(JSONObject task) throws IOException {
    long begin = System.nanoTime();
    try (FSDirectory directory = FSDirectory.open(Path.of(task.getString("index")));
        IndexWriter writer = new IndexWriter(directory, config());
        DataInputStream pages = inputOf(task, "pages")) {
      for (byte[] key = record(pages); key != null; key = record(pages)) {
        Document document = new Document();
        document.add(new BinaryDocValuesField("url", new BytesRef(key)));
        document.add(new TextField("text", new String(record(pages), StandardCharsets.UTF_8), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
      writer.commit();
    }
    return new JSONObject()
        .put("version", Version.LATEST.toString())
        .put("wallUs", (System.nanoTime() - begin) / 1e3)
        .put("cpuUs", cpuNanos() / 1e3)
        .put("peakBytes", memory("VmHWM"));
  }

  /** Pages that will be replaced are known by a term. */
  private static JSONObject prepare(JSONObject task) throws IOException {
    try (FSDirectory directory = FSDirectory.open(Path.of(task.getString("index")));
        IndexWriter writer = new IndexWriter(directory, config());
        DataInputStream pages = inputOf(task, "pages")) {
      for (byte[] key = record(pages); key != null; key = record(pages)) put(writer, key, record(pages));
      writer.forceMerge(1);
      writer.commit();
    }
    return new JSONObject();
  }

  private static void put(IndexWriter writer, byte[] key, byte[] text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", new BytesRef(key), Field.Store.NO));
    document.add(new BinaryDocValuesField("key", new BytesRef(key)));
    document.add(new TextField("text", new String(text, StandardCharsets.UTF_8), Field.Store.NO));
    writer.updateDocument(new Term("url", new BytesRef(key)), document);
  }

  private record Write(List<byte[][]> put, List<byte[]> removed) {}

  private static JSONObject write(JSONObject task) throws IOException {
    JSONArray sections = new JSONArray();
    ConcurrentMergeScheduler merges = new ConcurrentMergeScheduler();
    long beforeClose;
    try (FSDirectory directory = FSDirectory.open(Path.of(task.getString("index")));
        DataInputStream input = inputOf(task, "sections")) {
      try (IndexWriter writer = new IndexWriter(directory, config().setMergeScheduler(merges))) {
        for (byte[] name = record(input); name != null; name = record(input)) {
          List<Write> writes = new ArrayList<>();
          for (int left = number(input); left > 0; left--) writes.add(readWrite(input));
          double[] us = new double[writes.size()];
          long cpu = cpuNanos();
          long begin = System.nanoTime();
          for (int at = 0; at < us.length; at++) {
            long start = System.nanoTime();
            for (byte[][] page : writes.get(at).put()) put(writer, page[0], page[1]);
            for (byte[] key : writes.get(at).removed()) writer.deleteDocuments(new Term("url", new BytesRef(key)));
            writer.commit();
            us[at] = (System.nanoTime() - start) / 1e3;
          }
          merges.sync();
          double wallUs = (System.nanoTime() - begin) / 1e3;
          Arrays.sort(us);
          sections.put(new JSONObject()
              .put("name", new String(name, StandardCharsets.UTF_8))
              .put("writes", us.length)
              .put("wallUs", wallUs)
              .put("cpuUs", (cpuNanos() - cpu) / 1e3)
              .put("p50Us", us.length == 0 ? 0 : us[us.length / 2]));
        }
        beforeClose = cpuNanos();
      }
    }
    return new JSONObject()
        .put("version", Version.LATEST.toString())
        .put("sections", sections)
        .put("closeCpuUs", (cpuNanos() - beforeClose) / 1e3);
  }

  private static Write readWrite(DataInputStream input) throws IOException {
    List<byte[][]> put = new ArrayList<>();
    for (int left = number(input); left > 0; left--) put.add(new byte[][] {record(input), record(input)});
    List<byte[]> removed = new ArrayList<>();
    for (int left = number(input); left > 0; left--) removed.add(record(input));
    return new Write(put, removed);
  }

  private static int number(DataInputStream input) throws IOException {
    return Integer.reverseBytes(input.readInt());
  }

  private static JSONObject ask(JSONObject task) throws IOException {
    long begin = System.nanoTime();
    try (FSDirectory directory = FSDirectory.open(Path.of(task.getString("index")));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(new BM25Similarity(1.2f, 0.75f));
      searcher.setQueryCache(null);
      double openUs = (System.nanoTime() - begin) / 1e3;
      LeafReader leaf = reader.leaves().get(0).reader();
      QueryBuilder builder = new QueryBuilder(new EnglishAnalyzer());
      int threshold = task.getString("counting").equals("exact") ? Integer.MAX_VALUE : COUNT_LIMIT;
      List<String> lines = Files.readAllLines(Path.of(task.getString("questions")));
      Asking asking = new Asking(searcher, leaf, builder, threshold, task.getInt("passes"), task.getLong("budgetMs"));
      // The compiler of the JVM needs thousands of searches before it has done its best: the first answers do not count.
      asking.askAll(byClass(lines), new Answers(lines.size()));
      Answers answers = new Answers(lines.size());
      asking.askAll(byClass(lines), answers);
      JSONArray shortest = new JSONArray();
      JSONArray counted = new JSONArray();
      for (int at = 0; at < lines.size(); at++) {
        boolean isAsked = answers.us[at] < Double.POSITIVE_INFINITY;
        shortest.put(isAsked ? (Object) answers.us[at] : JSONObject.NULL);
        counted.put(isAsked ? (Object) answers.totals[at] : JSONObject.NULL);
      }
      return new JSONObject()
          .put("version", Version.LATEST.toString())
          .put("us", shortest)
          .put("totals", counted)
          .put("keysRead", answers.keysRead)
          .put("openUs", openUs)
          .put("residentBytes", memory("VmRSS"));
    }
  }

  private static Iterable<List<Question>> byClass(List<String> lines) {
    Map<String, List<Question>> classes = new LinkedHashMap<>();
    for (int at = 0; at < lines.size(); at++) {
      String[] parts = lines.get(at).split("\t");
      classes.computeIfAbsent(parts[0], name -> new ArrayList<>()).add(new Question(at, parts[1], parts[2]));
    }
    return classes.values();
  }

  /** A stop word leaves a hole in a phrase, as it does in the index. */
  private static Query queryOf(QueryBuilder builder, Question question) {
    Query query = switch (question.kind()) {
      case "and" -> builder.createBooleanQuery("text", question.words(), BooleanClause.Occur.MUST);
      case "phrase" -> builder.createPhraseQuery("text", question.words());
      default -> builder.createBooleanQuery("text", question.words(), BooleanClause.Occur.SHOULD);
    };
    return query == null ? new MatchNoDocsQuery() : query;
  }

  private static String[] keysOf(LeafReader leaf, TopDocs best) throws IOException {
    String[] keys = new String[best.scoreDocs.length];
    // Doc values are read in the order of documents.
    Integer[] order = new Integer[keys.length];
    for (int at = 0; at < order.length; at++) order[at] = at;
    ScoreDoc[] hits = best.scoreDocs;
    Arrays.sort(order, (left, right) -> Integer.compare(hits[left].doc, hits[right].doc));
    BinaryDocValues urls = leaf.getBinaryDocValues("url");
    for (int at : order) {
      if (urls.advanceExact(hits[at].doc)) keys[at] = urls.binaryValue().utf8ToString();
    }
    return keys;
  }

  /** Null at the end of the file. */
  private static byte[] record(DataInputStream pages) throws IOException {
    int length;
    try {
      length = Integer.reverseBytes(pages.readInt());
    } catch (EOFException end) {
      return null;
    }
    return pages.readNBytes(length);
  }

  /** Of all threads: those that compile and collect garbage, too. */
  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long memory(String name) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return 0;
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith(name + ":")) return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    }
    return 0;
  }
}
